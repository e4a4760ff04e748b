# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""`meander segment --model edge`: curves on edges, their stages and files, and what is refused."""

import json

import numpy as np
import pytest
from conftest import needs_gif, needs_png, needs_tiff
from outline_oracle import csv_rows, features, iou, outline, write_geojson

SHAPE = (96, 128)
CENTRE, RADIUS = (60, 45), 24
START = "circle:60,45,38"


@pytest.fixture
def shapely():
    return pytest.importorskip("shapely")


@pytest.fixture
def truth(tmp_path):
    """A disc with little noise, whose edge is where its pixels say."""
    y, x = np.mgrid[: SHAPE[0], : SHAPE[1]]
    mask = np.hypot(x - CENTRE[0], y - CENTRE[1]) < RADIUS
    noise = np.random.default_rng(5).normal(0, 3, SHAPE)
    np.save(tmp_path / "a.npy", np.rint(80 + 90 * mask + noise).astype(np.uint8))
    np.save(tmp_path / "truth.npy", mask.astype(np.uint8))
    return mask


@pytest.fixture
def edge(ok):
    """A run from a circle around the disc; returns the result of the report."""

    def start(*options, out="o.geojson", init=START):
        return ok("segment", "a.npy", out, "--model", "edge", "--init", init, "--json", *options).json["result"]

    return start


def ring_field(shape=SHAPE, centre=CENTRE, radius=RADIUS):
    """Points at the circle from either side, of length 1 but for the pixels next to it."""
    y, x = np.mgrid[: shape[0], : shape[1]].astype(float)
    away = np.hypot(x - centre[0], y - centre[1])
    pull = np.clip(radius - away, -1, 1) / np.maximum(away, 1e-6)
    return np.stack([(x - centre[0]) * pull, (y - centre[1]) * pull], -1).astype(np.float32)


def line_field(height):
    """Points at a row from above and below."""
    y = np.mgrid[: SHAPE[0], : SHAPE[1]][0].astype(float)
    return np.stack([np.zeros(SHAPE), np.clip(height - y, -1, 1)], -1).astype(np.float32)


def lines_of(path):
    collection = json.loads(path.read_text())
    assert all(f["geometry"]["type"] == "LineString" for f in collection["features"])
    return [(np.array(f["geometry"]["coordinates"]), f["properties"]) for f in collection["features"]]


def test_the_outline_lies_on_the_edge(edge, tmp_path, shapely, truth):
    result = edge("--truth", "truth.npy")
    assert result["model"] == "edge" and result["outlines"] == 1 and result["converged"] is True
    assert result["iou"] > 0.97
    (found,) = result["objects"]
    points, properties = outline(tmp_path / "o.geojson")
    polygon = shapely.Polygon(points)
    assert polygon.is_valid and polygon.exterior.is_ccw and polygon.exterior.is_simple
    assert np.abs(np.hypot(*(points - CENTRE).T) - RADIUS).max() < 1.5
    assert properties["id"] == 1 and properties["unit"] == "px" and properties["model"] == "edge"
    assert properties["nodes"] == found["nodes"] == len(points)
    assert properties["area"] == found["area"] == pytest.approx(polygon.area, rel=1e-12)
    assert properties["perimeter"] == found["perimeter"] == pytest.approx(polygon.length, rel=1e-12)
    assert properties["end"] == found["end"] == "settled"
    assert properties["steps"] == found["steps"] > 0 and properties["loops"] == found["loops"]
    assert 0 <= found["last_move"] < 0.2
    assert 0 < result["noise_floor"] < result["largest_edge"]
    assert result["flow"]["converged"] is True and result["flow"]["cycles"] > 0
    assert result["flow"]["relative_residual"] <= 1e-4
    assert all(result[key] >= 0 for key in ("smooth_seconds", "flow_seconds", "snake_seconds"))


def test_it_is_said_in_words(ok, truth):
    spoken = ok("segment", "a.npy", "o.csv", "--model", "edge", "--init", START).out
    assert "outline of" in spoken and "settled after" in spoken


def test_a_start_is_found_by_itself(edge, truth):
    assert edge("--truth", "truth.npy", init="auto")["iou"] > 0.97


def test_all_formats_say_the_same(edge, tmp_path, truth):
    for name in ("o.geojson", "o.csv", "o.svg", "m.npy"):
        edge(out=name)
    points, _ = outline(tmp_path / "o.geojson")
    rows = csv_rows(tmp_path / "o.csv")
    assert list(rows[0]) == ["outline", "vertex", "x", "y"]
    assert [[float(row["x"]), float(row["y"])] for row in rows] == points.tolist()
    assert (tmp_path / "o.svg").read_text().count("Z") == 1
    assert edge("--truth", "m.npy", "--mask-out", "m2.npy")["iou"] == 1
    assert (tmp_path / "m2.npy").read_bytes() == (tmp_path / "m.npy").read_bytes()


def test_options_of_the_snake_count(edge, tmp_path, truth):
    np.save(tmp_path / "f.npy", ring_field())

    def found(*options):
        return edge("--field", "f.npy", *options)["objects"][0]

    def is_circle(found, radius):
        return found["area"] == pytest.approx(np.pi * radius**2, rel=0.006)

    # Near its ring the field is 1 a pixel, so that every other force moves the circle by itself:
    # a balloon, the tension alpha/r and the rigidity beta/r^3.
    plain = found("--force", "plain")
    assert is_circle(plain, RADIUS)
    assert is_circle(found("--force", "plain", "--balloon", "0.5"), RADIUS + 0.5)
    assert is_circle(found("--force", "plain", "--balloon", "-0.5"), RADIUS - 0.5)
    assert is_circle(found("--force", "plain", "--alpha", "8"), RADIUS - 8 / 23.7)
    assert is_circle(found("--force", "plain", "--beta", "5000"), RADIUS - 5000 / 23.6**3)
    wide, close = (found("--point-spacing", value) for value in ("4", "1"))
    assert 2 < wide["perimeter"] / wide["nodes"] < 6 and 0.5 < close["perimeter"] / close["nodes"] < 1.5
    assert found("--step", "0.1")["steps"] > found()["steps"]
    rough, fine = (found("--force", "plain", "--settled", value) for value in ("0.2", "0.0001"))
    assert rough["steps"] < fine["steps"] and fine["last_move"] < 0.0001 < rough["last_move"]
    np.save(tmp_path / "f.npy", 1e-3 * ring_field())  # only its directions and ratios count
    assert found("--force", "plain")["area"] == pytest.approx(plain["area"], rel=1e-3)
    weak = ring_field()
    weak[:, :60] *= 0.1
    np.save(tmp_path / "f.npy", weak)
    slow, fast = (found("--force", force) for force in ("plain", "unit"))
    assert slow["steps"] > fast["steps"]


def test_options_of_the_flow_count(edge, truth):
    plain = edge("--sigma", "3")
    assert edge("--sigma", "1")["largest_edge"] > 1.5 * plain["largest_edge"] and plain["sigma"] == "3"
    found = [edge("--sigma", "3", "--noise-floor", floor)["noise_floor"] for floor in ("3", "6")]
    assert found[1] == pytest.approx(2 * found[0], rel=0.01)
    plain = edge()
    assert edge("--tolerance", "1e-6")["flow"]["cycles"] > plain["flow"]["cycles"]
    assert edge("--mu", "1")["flow"]["relative_residual"] != plain["flow"]["relative_residual"]


def test_a_flow_that_does_not_converge_ends_the_run(refused, truth):
    message = refused(8, "segment", "a.npy", "o.csv", "--model", "edge", "--tolerance", "1e-9", "--max-cycles", "1")
    assert "a.npy: " in message


def test_curves_that_do_not_settle_end_the_run(run, refused, tmp_path, truth):
    given = ["segment", "a.npy", "o.geojson", "--model", "edge", "--init", START, "--max-steps", "1", "--overlay", "ov.npy"]
    message = refused(8, *given)
    assert "a.npy: curve 1 " in message and "after 1 steps" in message and "--max-steps" in message and "--keep" in message
    kept = run(*given, "--keep", "--json")
    assert kept.code == 8 and "written all the same" in kept.err and kept.err.count("\n") == 1
    result = kept.json["result"]
    assert result["converged"] is False and result["objects"][0]["end"] == "steps" and result["objects"][0]["steps"] == 1
    assert outline(tmp_path / "o.geojson")[1]["end"] == "steps" and (tmp_path / "ov.npy").exists()


def test_every_bad_end_is_named(run, refused, tmp_path, truth):
    np.save(tmp_path / "flat.npy", np.full(SHAPE, 7, np.uint8))
    message = refused(8, "segment", "flat.npy", "o.csv", "--model", "edge", "--init", START)
    assert "flat.npy: the strongest edge, " in message and "not above the noise floor" in message
    message = refused(8, "segment", "a.npy", "o.csv", "--model", "edge", "--init", START, "--alpha", "500")
    assert "a.npy: curve 1 shrank to nothing after " in message
    message = refused(8, "segment", "a.npy", "o.csv", "--model", "edge", "--init", START, "--max-points", "20")
    assert "needed more than 20 points" in message and "--max-points" in message


def test_pictures_of_stages_are_outputs_like_others(refused, truth):
    for twice in (("s/figure.png",), ("o.csv", "--overlay", "s/2_edges.png")):
        message = refused(2, "segment", "a.npy", *twice, "--model", "edge", "--init", START, "--stages", "s")
        assert "named twice" in message


def test_several_starts_move_in_one_run(ok, tmp_path, shapely):
    y, x = np.mgrid[:96, :160]
    discs = [((40, 45), 18), ((115, 50), 22)]
    mask = np.zeros((96, 160), bool)
    for (u, v), radius in discs:
        mask |= np.hypot(x - u, y - v) < radius
    np.save(tmp_path / "a.npy", (50 + 100 * mask).astype(np.uint8))
    np.save(tmp_path / "truth.npy", mask.astype(np.uint8))
    rings = [[[u + d * s, v + e * s] for d, e in ((-1, -1), (1, -1), (1, 1), (-1, 1))] for (u, v), s in (((40, 45), 26), ((115, 50), 30))]
    polygons = [{"type": "Polygon", "coordinates": [[*ring, ring[0]]]} for ring in rings]
    collection = {"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {}, "geometry": p} for p in polygons]}
    multi = {"type": "MultiPolygon", "coordinates": [p["coordinates"] for p in polygons]}
    (tmp_path / "s.geojson").write_text(json.dumps(collection))
    (tmp_path / "m.geojson").write_text(json.dumps(multi))
    rows = [f"{i},{k},{u},{v}" for i, ring in enumerate(rings) for k, (u, v) in enumerate(ring)]
    (tmp_path / "s.csv").write_text("\n".join(["outline,vertex,x,y", *rows]))
    texts = set()
    for name in ("s.geojson", "m.geojson", "s.csv"):
        result = ok("segment", "a.npy", "o.geojson", "--model", "edge", "--init", name, "--truth", "truth.npy",
                    "--evolution", "e.json", "--json").json["result"]  # fmt: skip
        assert result["outlines"] == 2 and result["iou"] > 0.97
        texts.add((tmp_path / "o.geojson").read_text())
    assert len(texts) == 1
    found = features(tmp_path / "o.geojson")[1]
    assert [p["id"] for _, p in found] == [1, 2]
    for (points, _), (centre, radius) in zip(found, discs):
        assert shapely.Polygon(points).area == pytest.approx(np.pi * radius**2, rel=0.05)
        assert np.allclose(points.mean(0), centre, atol=1)
    frames = json.loads((tmp_path / "e.json").read_text())["frames"]
    assert all(len(frame["curves"]) == 2 for frame in frames)
    boxes = np.zeros((96, 160), np.uint8)
    for (u, v), s in (((40, 45), 26), ((115, 50), 30)):
        boxes[v - s : v + s, u - s : u + s] = 1
    boxes[2, 3] = boxes[90, 80:82] = 1  # specks, in which no curve can begin
    np.save(tmp_path / "parts.npy", boxes)
    result = ok("segment", "a.npy", "o.geojson", "--model", "edge", "--init", "parts.npy", "--truth", "truth.npy", "--json").json["result"]
    assert result["outlines"] == 2 and result["iou"] > 0.97


def test_ends_of_open_curves(ok, tmp_path, shapely, truth):
    np.save(tmp_path / "f.npy", line_field(60))
    common = ["segment", "a.npy", "o.geojson", "--model", "edge", "--field", "f.npy", "--init", "line:20,40,100,40", "--json"]
    result = ok(*common, "--open", "free").json["result"]
    ((points, properties),) = lines_of(tmp_path / "o.geojson")
    assert np.abs(points[:, 1] - 60).max() < 0.5
    length = shapely.LineString(points).length
    assert properties["length"] == pytest.approx(length, rel=1e-12) == result["objects"][0]["length"]
    assert "area" not in properties and "area" not in result["objects"][0] and properties["end"] == "settled"
    ok(*common, "--open", "fixed", "--overlay", "ov.npy")
    ((points, _),) = lines_of(tmp_path / "o.geojson")
    assert points[0].tolist() == [20, 40] and points[-1].tolist() == [100, 40]
    assert abs(points[len(points) // 2, 1] - 60) < 1
    # Drawn open: no line leads back from the last point to the first.
    picture = np.load(tmp_path / "ov.npy").astype(int)
    coloured = np.ptp(picture, axis=-1) > 60
    assert coloured.any() and not coloured[(30 * 4) : (38 * 4), :].any()
    orange = (picture[..., 0] > 200) & (picture[..., 2] < 60)
    assert not orange[40 * 4 - 2 : 40 * 4 + 5, 50 * 4 : 70 * 4].any()
    assert "Z" not in (ok(*common, "--open", "free"), (tmp_path / "o.geojson").read_text())[1]
    ok(*[part if part != "o.geojson" else "o.svg" for part in common], "--open", "free")
    assert "Z\"" not in (tmp_path / "o.svg").read_text()


def test_open_curves_come_from_files(ok, refused, tmp_path, truth):
    np.save(tmp_path / "f.npy", line_field(60))
    line = [[20, 40], [60, 44], [100, 40]]
    (tmp_path / "l.geojson").write_text(json.dumps({"type": "LineString", "coordinates": line}))
    (tmp_path / "m.geojson").write_text(json.dumps({"type": "MultiLineString", "coordinates": [line, line[:2]]}))
    (tmp_path / "l.csv").write_text("outline,vertex,x,y\n" + "".join(f"0,{k},{x},{y}\n" for k, (x, y) in enumerate(line)))
    common = ["segment", "a.npy", "o.geojson", "--model", "edge", "--field", "f.npy", "--open", "fixed"]
    texts = []
    for name, count in (("l.geojson", 1), ("l.csv", 1), ("m.geojson", 2)):
        ok(*common, "--init", name)
        found = lines_of(tmp_path / "o.geojson")
        assert len(found) == count and found[0][0][0].tolist() == line[0] and found[0][0][-1].tolist() == line[2]
        texts.append(found[0][0].tolist())
    assert texts[0] == texts[1] == texts[2]
    (tmp_path / "o.geojson").rename(tmp_path / "again.geojson")
    ok(*common, "--init", "again.geojson")  # what was written can be read
    write_geojson(tmp_path / "p.geojson", [[20, 20], [80, 20], [50, 70]])
    (tmp_path / "one.geojson").write_text('{"type":"LineString","coordinates":[[5,5],[5,5]]}')
    assert "found a Polygon" in refused(2, *common, "--init", "p.geojson")
    assert "1 different nodes, expected at least 2" in refused(3, *common, "--init", "one.geojson")
    assert "found a LineString" in refused(2, "segment", "a.npy", "o.csv", "--model", "edge", "--init", "l.geojson")
    assert "found a LineString" in refused(4, "segment", "a.npy", "o.csv", "--init", "l.geojson")


def test_open_and_closed_are_not_mixed(refused, tmp_path, truth):
    edge = ["segment", "a.npy", "o.csv", "--model", "edge"]
    line = ["--init", "line:20,40,100,40"]
    assert "--open" in refused(2, *edge, *line)
    assert "--open" in refused(2, "segment", "a.npy", "o.csv", *line)
    for init in ("auto", START, "box:1,1,9,9", "truth.npy"):
        assert "--open goes with an open start" in refused(2, *edge, "--open", "free", "--init", init)
    assert "model edge" in refused(2, "segment", "a.npy", "o.csv", "--model", "region+edge", "--open", "free", *line)
    for option in ("truth", "mask-out"):
        assert f"--{option} goes with closed" in refused(2, *edge, "--open", "free", *line, f"--{option}", "truth.npy")
    assert "m.npy: a mask" in refused(2, "segment", "a.npy", "m.npy", "--model", "edge", "--open", "free", *line)
    for text in ("line:1,2,3", "line:1,2,1,2", "line:a,2,3,4", "line:1,2,3,inf"):
        assert "--init: " in refused(2, *edge, "--open", "free", "--init", text)


def test_a_field_takes_the_place_of_edges_and_flow(edge, refused, tmp_path, truth):
    moved = ring_field(centre=(70, 50), radius=15)
    np.save(tmp_path / "f.npy", moved)
    result = edge("--field", "f.npy")
    assert result["objects"][0]["area"] == pytest.approx(np.pi * 15**2, rel=0.04)
    assert result["flow"] is None and result["noise_floor"] is None
    text = (tmp_path / "o.geojson").read_text()
    np.save(tmp_path / "f.npy", moved.astype(np.float64))
    edge("--field", "f.npy")
    assert (tmp_path / "o.geojson").read_text() == text
    common = ["segment", "a.npy", "o.csv", "--model", "edge", "--field"]
    for option, value in (("sigma", "2"), ("noise-floor", "2"), ("mu", "0.2"), ("tolerance", "1e-3"), ("max-cycles", "9")):
        assert f"--{option} " in refused(2, *common, "f.npy", f"--{option}", value)
    np.save(tmp_path / "g.npy", moved[:, :-1])
    assert "g.npy: a field of 127x96 with 2 channels, expected 128x96 with 2" in refused(2, *common, "g.npy")
    assert "with 1 channel" in refused(2, *common, "truth.npy")
    refused(7, *common, "none.npy")


@needs_tiff
def test_flow_writes_fields_to_move_in(ok, edge, tmp_path, truth):
    ok("smooth", "a.npy", "e.npy", "--sigma", "3", "--output", "magnitude")
    for name in ("f.npy", "f.tif"):
        ok("flow", "e.npy", name)
        assert edge("--field", name, "--truth", "truth.npy")["iou"] > 0.95


def test_an_edge_refines_a_region(ok, tmp_path, truth):
    both = ok("segment", "a.npy", "o.geojson", "--model", "region+edge", "--truth", "truth.npy", "--json").json["result"]
    assert both["model"] == "region+edge" and both["noise"] == "gaussian" and both["criterion"] is not None
    assert both["iou"] > 0.97 and both["objects"][0]["end"] == "settled"
    ok("segment", "a.npy", "r.geojson")
    ok("segment", "a.npy", "p.geojson", "--model", "edge", "--init", "r.geojson")
    found, expected = (outline(tmp_path / name) for name in ("o.geojson", "p.geojson"))
    assert found[0].tolist() == expected[0].tolist()
    assert found[1]["model"] == "region+edge" and expected[1]["model"] == "edge"
    assert found[0].tolist() != outline(tmp_path / "r.geojson")[0].tolist()
    # The start is that of the region, and options of both count.
    again = ok("segment", "a.npy", "o.geojson", "--model", "region+edge", "--init", START, "--noise", "gaussian",
               "--sigma", "4", "--json").json["result"]  # fmt: skip
    assert again["evaluations"] != both["evaluations"] and again["largest_edge"] < both["largest_edge"]


@needs_png
def test_without_a_region_there_is_nothing_to_move(ok, tmp_path):
    np.save(tmp_path / "noise.npy", np.random.default_rng(1).normal(size=(90, 90)).astype(np.float32))
    given = ["segment", "noise.npy", "o.geojson", "--model", "region+edge", "--stages", "s"]
    assert ok(*given).out.startswith("no outline")
    assert features(tmp_path / "o.geojson")[1] == [] and not (tmp_path / "s").exists()
    result = ok(*given, "--json").json["result"]
    assert result["outlines"] == 0 and result["objects"] == []


def pictures_in(ok, folder):
    sizes = {}
    for path in sorted(folder.iterdir()):
        ok("convert", str(path), "picture.npy")
        picture = np.load(folder.parent / "picture.npy")
        assert picture.ndim == 3 and picture.shape[2] == 3 and picture.std() > 5, path.name
        sizes[path.name] = picture.shape[:2]
    return sizes


@needs_png
def test_stages_are_pictures_of_the_image_size(ok, edge, tmp_path, truth):
    ok("segment", "a.npy", "o.csv", "--model", "edge", "--init", START, "--stages", "s", "--overlay", "ov.png")
    sizes = pictures_in(ok, tmp_path / "s")
    assert list(sizes) == ["1_smoothed.png", "2_edges.png", "3_flow.png", "4_outline.png", "figure.png"]
    assert {sizes[name] for name in list(sizes)[:4]} == {(4 * SHAPE[0], 4 * SHAPE[1])}
    assert sizes["figure.png"][1] > 3 * 4 * SHAPE[1]
    assert (tmp_path / "s" / "4_outline.png").read_bytes() == (tmp_path / "ov.png").read_bytes()
    # Edges are bright where the disc ends and dark elsewhere, the smoothed image is bright inside.
    for name, bright, dark in (("2_edges.png", (60 + RADIUS, 45), (60, 45)), ("1_smoothed.png", (60, 45), (5, 5))):
        ok("convert", f"s/{name}", "p.npy")
        picture = np.load(tmp_path / "p.npy")
        assert picture[4 * bright[1] + 2, 4 * bright[0] - 2].mean() > 150 > 60 > picture[4 * dark[1], 4 * dark[0]].mean()
    # The start is there, in blue.
    ok("convert", "ov.png", "p.npy")
    picture = np.load(tmp_path / "p.npy").astype(int)
    x, y = 4 * (60 + 38) + 1, 4 * 45 + 1
    part = picture[y - 2 : y + 3, x - 3 : x + 4]
    assert (part[..., 2] - part[..., 0]).max() > 60
    np.save(tmp_path / "f.npy", ring_field())
    report = ok("segment", "a.npy", "o.csv", "--model", "edge", "--field", "f.npy", "--init", START, "--stages", "t", "--json").json
    assert list(pictures_in(ok, tmp_path / "t")) == ["3_flow.png", "4_outline.png", "figure.png"]
    assert [entry["path"] for entry in report["outputs"]] == ["o.csv", "t/3_flow.png", "t/4_outline.png", "t/figure.png"]


@needs_png
def test_folders_that_cannot_be_are_refused_before_the_work(refused, tmp_path, truth):
    common = ["segment", "a.npy", "o.csv", "--model", "edge", "--stages"]
    (tmp_path / "file").write_text("no folder")
    for options in ([], ["--dry-run"]):
        assert "file: " in refused(7, *common, "file", *options)
        assert "none/s: " in refused(7, *common, "none/s", *options)
    (tmp_path / "taken" / "3_flow.png").mkdir(parents=True)
    refused(7, *common, "taken")
    assert not list((tmp_path / "taken" / "3_flow.png").iterdir())


@pytest.mark.parametrize("model", ["region", "edge", "region+edge"])
def test_evolution_as_json(ok, tmp_path, truth, model):
    ok("segment", "a.npy", "o.geojson", "--model", model, "--init", START, "--evolution", "e.json")
    told = json.loads((tmp_path / "e.json").read_text())
    assert told["image"]["shape"] == list(SHAPE) and told["image"]["spacing"] == [1, 1]
    frames = told["frames"]
    assert 5 < len(frames) <= 60
    steps = [frame["step"] for frame in frames]
    assert steps == sorted(steps) and steps[-1] > steps[0]
    assert all(curve["closed"] is True and len(curve["points"]) >= 3 for frame in frames for curve in frame["curves"])
    last = outline(tmp_path / "o.geojson")[0]
    assert frames[-1]["curves"][0]["points"] == last.tolist()
    first = np.array(frames[0]["curves"][0]["points"])
    assert np.abs(np.hypot(*(first - CENTRE).T) - 38).max() < 1.5


@needs_gif
def test_evolution_as_a_film(ok, tmp_path, truth):
    pillow = pytest.importorskip("PIL.Image")
    ok("segment", "a.npy", "o.geojson", "--model", "edge", "--init", START, "--evolution", "e.gif", "--overlay", "ov.npy")
    film = pillow.open(tmp_path / "e.gif")
    film.seek(film.n_frames - 1)
    last = np.ptp(np.array(film.convert("RGB")).astype(int), axis=-1) > 60
    orange = np.load(tmp_path / "ov.npy")[..., 0].astype(int) - np.load(tmp_path / "ov.npy")[..., 2] > 60
    assert 20 < film.n_frames <= 75 and iou(last, orange) > 0.8


def test_options_of_the_other_model_are_refused(refused, truth):
    for option, value in (("noise", "gaussian"), ("looks", "2"), ("schedule", "classic"), ("store", "full"),
                          ("min-segment", "9"), ("max-step", "9")):  # fmt: skip
        message = refused(2, "segment", "a.npy", "o.csv", "--model", "edge", f"--{option}", value)
        assert f"--{option} goes with model region or region+edge" in message
    for option, value in (("sigma", "2"), ("noise-floor", "2"), ("mu", "1"), ("tolerance", "1e-3"), ("max-cycles", "9"),
                          ("alpha", "1"), ("beta", "1"), ("force", "plain"), ("balloon", "1"), ("step", "1"),
                          ("point-spacing", "1"), ("max-points", "99"), ("max-steps", "9"), ("settled", "1"),
                          ("field", "f.npy"), ("stages", "s")):  # fmt: skip
        message = refused(2, "segment", "a.npy", "o.csv", f"--{option}", value)
        assert f"--{option} goes with model edge or region+edge" in message
    for model in ((), ("--model", "region+edge")):
        message = refused(2, "segment", "a.npy", "o.csv", *model, "--open", "free")
        assert "--open goes with model edge, expected that or no --open" in message
    assert "--keep goes with" in refused(2, "segment", "a.npy", "o.csv", "--keep")
    assert "model" in refused(2, "segment", "a.npy", "o.csv", "--model", "both")


def test_values_out_of_range(refused, truth):
    for option, value in (("sigma", "-1"), ("alpha", "-1"), ("beta", "nan"), ("balloon", "11"), ("step", "0"), ("force", "strong"),
                          ("open", "loose"), ("point-spacing", "0"), ("max-points", "7"), ("max-steps", "0"), ("settled", "0")):  # fmt: skip
        assert option in refused(2, "segment", "a.npy", "o.csv", "--model", "edge", f"--{option}", value)


def test_starts_that_lie_outside(refused, truth):
    refused(2, "segment", "a.npy", "o.csv", "--model", "edge", "--init", "circle:-100,-100,5")


def test_outputs_are_files_of_their_own(refused, tmp_path, truth):
    np.save(tmp_path / "f.npy", ring_field())
    edge = ["segment", "a.npy", "o.json", "--model", "edge"]
    assert "named twice" in refused(2, *edge, "--evolution", "o.json")
    assert "f.npy is an input too" in refused(2, *edge, "--field", "f.npy", "--mask-out", "f.npy")
    assert "none/e.json" in refused(7, *edge, "--evolution", "none/e.json")


@needs_png
def test_dry_run_and_memory(ok, refused, tmp_path, truth):
    np.save(tmp_path / "f.npy", ring_field())
    before = sorted(p.name for p in tmp_path.iterdir())
    spoken = ok("segment", "a.npy", "o.csv", "--model", "edge", "--stages", "s", "--init", START, "--dry-run").out
    assert "would move by sigma found by itself, noise floor 4" in spoken and f"start {START}" in spoken and "would work in memory" in spoken
    both = ok("segment", "a.npy", "o.csv", "--model", "region+edge", "--dry-run").out
    assert "would search with" in both and "start the region's outline" in both
    assert sorted(p.name for p in tmp_path.iterdir()) == before
    for options in ([], ["--stages", "s"], ["--field", "f.npy"], ["--overlay", "p.npy", "--evolution", "e.json"], ["--field", "f.npy", "--stages", "s"]):
        given = ["--model", "edge", "--init", START, *options, "--device", "cpu"]
        stated = ok("segment", "a.npy", "o.geojson", *given, "--json").json["result"]["memory_bytes"]
        ok("segment", "a.npy", "o.geojson", *given, "--memory", stated)
        assert str(stated) in refused(5, "segment", "a.npy", "new.csv", *given, "--memory", stated - 1)


def test_repeat_gives_the_same_curve(edge, ok, tmp_path, truth):
    edge()
    text = (tmp_path / "o.geojson").read_text()
    report = ok("segment", "a.npy", "o.geojson", "--model", "edge", "--init", START, "--repeat", "2", "--json").json
    assert len(report["seconds"]["compute_runs"]) == 2 and (tmp_path / "o.geojson").read_text() == text


@needs_tiff
def test_spacing_is_honoured(ok, tmp_path, shapely, truth):
    tifffile = pytest.importorskip("tifffile")
    tifffile.imwrite(tmp_path / "a.tif", np.load(tmp_path / "a.npy"), imagej=True, resolution=(4, 2), metadata={"unit": "um"})
    report = ok("segment", "a.tif", "o.geojson", "--model", "edge", "--init", START, "--json").json
    ok("segment", "a.tif", "px.geojson", "--model", "edge", "--init", START, "--units", "pixel")
    collection, ((points, properties),) = features(tmp_path / "o.geojson")
    pixels = outline(tmp_path / "px.geojson")[0]
    assert np.allclose(points, pixels * [0.25, 0.5], rtol=1e-12)
    assert collection["unit"] == properties["unit"] == "um" and collection["spacing"] == [0.25, 0.5]
    polygon = shapely.Polygon(points)
    physical = report["result"]["objects"][0]["physical"]
    assert properties["area"] == physical["area"] == pytest.approx(polygon.area)
    assert properties["perimeter"] == physical["perimeter"] == pytest.approx(polygon.length)
    assert report["result"]["objects"][0]["area"] == pytest.approx(shapely.Polygon(pixels).area)
    ok("segment", "a.tif", "o.csv", "--model", "edge", "--init", START)
    assert csv_rows(tmp_path / "o.csv")[0]["unit"] == "um"

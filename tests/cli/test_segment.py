# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""`meander segment`: what it finds, and what its files say to others."""

import json
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from conftest import needs_gif, needs_png, needs_tiff
from outline_oracle import b_spline, csv_rows, disc, features, iou, outline, svg_cubics, svg_points, write_geojson


@pytest.fixture
def shapely():
    return pytest.importorskip("shapely")


@pytest.fixture
def truth(tmp_path):
    image, mask = disc()
    np.save(tmp_path / "a.npy", image)
    np.save(tmp_path / "truth.npy", mask.astype(np.uint8))
    return mask


def phantom(ok, *options, size="512x512", kind="star"):
    ok("phantom", kind, "p.npy", "--size", size, "--seed", "3", "--truth", "truth.npy", *options)


@pytest.mark.parametrize("options,noise", [
    (["--noise", "gaussian", "--snr", "1"], "gaussian"),
    (["--noise", "gamma", "--looks", "1", "--levels", "1000,2000", "--type", "u16"], "gamma"),
    (["--noise", "poisson", "--levels", "4,7", "--type", "u16"], "poisson"),
    (["--noise", "bernoulli", "--levels", "0.3,0.6", "--type", "u8"], "bernoulli"),
    (["--noise", "rayleigh", "--levels", "1000,1500", "--type", "u16"], "rayleigh")])  # fmt: skip
def test_every_family_of_noise_is_found_out(ok, tmp_path, shapely, options, noise):
    phantom(ok, *options)
    result = ok("segment", "p.npy", "o.geojson", "--truth", "truth.npy", "--json").json["result"]
    assert result["noise"] == noise and result["outlines"] == 1
    assert result["iou"] > 0.97
    points, properties = outline(tmp_path / "o.geojson")
    polygon = shapely.Polygon(points)
    assert polygon.is_valid and polygon.exterior.is_ccw and polygon.exterior.is_simple
    assert properties["noise"] == noise
    same = ok("segment", "p.npy", "o.geojson", "--truth", "truth.npy", "--noise", noise, "--json").json["result"]
    assert same["noise"] == noise and same["iou"] == result["iou"]


def test_geojson_holds_what_the_report_says(ok, tmp_path, shapely, truth):
    report = ok("segment", "a.npy", "o.geojson", "--truth", "truth.npy", "--json").json
    result = report["result"]
    (found,) = result["objects"]
    points, properties = outline(tmp_path / "o.geojson")
    polygon = shapely.from_geojson((tmp_path / "o.geojson").read_text()).geoms[0]
    assert polygon.is_valid and shapely.is_ccw(polygon.exterior)
    assert properties["id"] == 1 and properties["unit"] == "px"
    assert properties["area"] == pytest.approx(polygon.area, rel=1e-12) == found["area"]
    assert properties["perimeter"] == pytest.approx(polygon.length, rel=1e-12)
    assert found["perimeter"] == pytest.approx(polygon.length, rel=1e-12)
    assert properties["nodes"] == found["nodes"] == len(properties["confidence"])
    assert properties["criterion"] == pytest.approx(found["criterion"]) == result["criterion"]
    assert properties["gain"] == pytest.approx(found["gain"]) and found["gain"] > 0
    assert all(np.isfinite(properties["confidence"]))
    assert (points * 256 == np.round(points * 256)).all()  # multiples of 1/256, nothing rounded
    for key in ("looks", "evaluations", "iterations", "build_seconds", "search_seconds", "offset", "scale"):
        assert key in result
    assert result["evaluations"] > 0 and result["offset"] == 0 and result["scale"] == 1
    assert "physical" not in found and report["seconds"]["compute"] > 0


def test_mask_is_what_the_outline_holds(ok, tmp_path, shapely, truth):
    ok("segment", "a.npy", "m.npy", "--mask-out", "m2.npy")
    result = ok("segment", "a.npy", "o.geojson", "--truth", "m.npy", "--json").json["result"]
    mask = np.load(tmp_path / "m.npy")
    assert mask.dtype == np.uint8 and set(np.unique(mask)) == {0, 255}
    assert (tmp_path / "m.npy").read_bytes() == (tmp_path / "m2.npy").read_bytes()
    assert result["iou"] == 1
    polygon = shapely.Polygon(outline(tmp_path / "o.geojson")[0])
    y, x = np.mgrid[: mask.shape[0], : mask.shape[1]]
    inside, near = shapely.contains_xy(polygon, x, y), shapely.dwithin(polygon.exterior, shapely.points(x, y), 1e-6)
    assert ((mask > 0) == inside)[~near].all() and near.sum() < 100
    # The report's statistics are those of these pixels.
    image, (found,) = np.load(tmp_path / "a.npy").astype(float), result["objects"]
    for name, pixels in (("inside", image[mask > 0]), ("outside", image[mask == 0])):
        assert found[name]["pixels"] == pixels.size
        assert found[name]["mean"] == pytest.approx(pixels.mean(), rel=1e-12)
        assert found[name]["sigma"] == pytest.approx(pixels.std(), rel=1e-9)
    properties = outline(tmp_path / "o.geojson")[1]
    assert properties["inside_mean"] == found["inside"]["mean"]
    assert properties["outside_sigma"] == found["outside"]["sigma"]


def test_iou_is_that_of_the_pixels(ok, tmp_path, truth):
    ok("segment", "a.npy", "m.npy")
    expected = iou(np.load(tmp_path / "m.npy") > 0, truth)
    assert 0.9 < expected < 1
    for kind in (np.uint8, np.float32, np.int16):
        np.save(tmp_path / "t.npy", truth.astype(kind) * 7)
        result = ok("segment", "a.npy", "o.csv", "--truth", "t.npy", "--json").json["result"]
        assert result["iou"] == pytest.approx(expected, rel=1e-12), kind
    spoken = ok("segment", "a.npy", "o.csv", "--truth", "t.npy").out
    assert f"{expected:.6g}" in spoken and "curve of" in spoken
    assert "outline of" in ok("segment", "a.npy", "o.csv", "--shape", "polygon").out


def test_what_is_not_0_is_true(ok, tmp_path, truth):
    ok("segment", "a.npy", "m.npy")
    expected = iou(np.load(tmp_path / "m.npy") > 0, truth)
    for kind, inside in ((np.int16, -1), (np.float32, 0.3), (np.float64, -1e-300), (np.float32, np.nan)):
        np.save(tmp_path / "t.npy", np.where(truth, inside, 0).astype(kind))
        result = ok("segment", "a.npy", "o.csv", "--truth", "t.npy", "--json").json["result"]
        assert result["iou"] == pytest.approx(expected, rel=1e-12), (kind, inside)


def test_report_names_all_inputs(ok, tmp_path, truth):
    np.save(tmp_path / "start.npy", truth.astype(np.float32))
    inputs = ok("segment", "a.npy", "o.csv", "--truth", "truth.npy", "--init", "start.npy", "--json").json["inputs"]
    assert [entry["path"] for entry in inputs] == ["a.npy", "truth.npy", "start.npy"]
    assert [entry["type"] for entry in inputs] == ["u8", "u8", "f32"]


def test_all_formats_say_the_same_of_polygons(ok, tmp_path, truth):
    for name in ("o.geojson", "o.json", "o.csv", "o.svg"):
        found = ok("segment", "a.npy", name, "--shape", "polygon", "--json").json["result"]["objects"][0]
    points, properties = outline(tmp_path / "o.geojson")
    assert (tmp_path / "o.json").read_text() == (tmp_path / "o.geojson").read_text()
    rows = csv_rows(tmp_path / "o.csv")
    assert list(rows[0]) == ["outline", "vertex", "x", "y", "confidence"]
    assert [row["vertex"] for row in rows] == [str(i) for i in range(len(points))]
    assert [[float(row["x"]), float(row["y"])] for row in rows] == points.tolist()
    assert [float(row["confidence"]) for row in rows] == properties["confidence"]
    assert svg_points(tmp_path / "o.svg").tolist() == points.tolist()
    assert found["shape"] == "polygon" and found["nodes"] == len(points) == properties["nodes"]
    assert "splines" not in properties


def test_all_formats_say_the_same_of_curves(ok, tmp_path, shapely, truth):
    """Points lie on the uniform cubic B-spline of the nodes, and that nowhere far from them."""
    for name in ("o.geojson", "o.csv", "o.svg"):
        found = ok("segment", "a.npy", name, "--json").json["result"]["objects"][0]
    points, properties = outline(tmp_path / "o.geojson")
    (nodes,) = properties["splines"]
    assert found["shape"] == "curve" and found["nodes"] == len(nodes) == properties["nodes"] < len(points) / 2
    curve = b_spline(nodes)
    near = shapely.LinearRing(curve)
    # 1/20 pixel, half a step of the grid along either axis, and what 100 points a cubic leave out.
    most = 1 / 20 + 2**0.5 / 512 + 0.001
    assert shapely.distance(near, shapely.points(points)).max() < 2**0.5 / 512 + 0.001
    assert shapely.distance(shapely.LinearRing(points), shapely.points(curve)).max() < most
    rows = csv_rows(tmp_path / "o.csv")
    assert list(rows[0]) == ["outline", "vertex", "x", "y", "confidence", "node"]
    assert [[float(row["x"]), float(row["y"])] for row in rows] == points.tolist()
    assert [i for i, row in enumerate(rows) if row["node"] == "1"] == sorted(properties["node_vertices"])
    assert [float(rows[i]["confidence"]) for i in properties["node_vertices"]] == properties["confidence"]
    assert all((row["confidence"] == "") == (row["node"] == "0") for row in rows)
    # The vertex of a smooth node is where the curve passes at a sixth, two thirds and a sixth.
    control = np.array(nodes)[:, :2]
    passes = (np.roll(control, 1, 0) + 4 * control + np.roll(control, -1, 0)) / 6
    assert not any(node[2] for node in nodes)
    np.testing.assert_allclose(points[properties["node_vertices"]], passes, atol=1 / 512 + 1e-9)
    cubics = svg_cubics(tmp_path / "o.svg")
    assert len(cubics) == len(nodes)
    middles = [np.array([1, 3, 3, 1]) @ cubic / 8 for cubic in cubics]
    assert shapely.distance(near, shapely.points(middles)).max() < 0.001


def half_disc_and_ring(tmp_path):
    """One with two corners, one with a hole."""
    rng = np.random.default_rng(4)
    y, x = np.mgrid[:170, :330]
    inside = ((np.hypot(x - 80, y - 115) < 60) & (y < 115)) | (abs(np.hypot(x - 240, y - 85) - 45) < 15)
    np.save(tmp_path / "h.npy", np.round(2000 + 100 * inside + 25 * rng.standard_normal(x.shape)).astype(np.uint16))
    return inside


@needs_tiff
@pytest.mark.parametrize("part", [[], ["--roi", "6,4,320,160"]])
def test_splines_have_units_places_corners_and_holes(ok, tmp_path, shapely, part):
    tifffile = pytest.importorskip("tifffile")
    half_disc_and_ring(tmp_path)
    tifffile.imwrite(tmp_path / "h.tif", np.load(tmp_path / "h.npy"), imagej=True, resolution=(4, 2), metadata={"unit": "um"})
    ok("segment", "h.tif", "o.geojson", *part)
    ok("segment", "h.tif", "o.svg", *part)
    found = json.loads((tmp_path / "o.geojson").read_text())["features"]
    assert len(found) == 2
    corners = 0
    for feature in found:
        rings = feature["geometry"]["coordinates"]
        assert len(feature["properties"]["splines"]) == len(rings)
        for ring, nodes in zip(rings, feature["properties"]["splines"]):
            corners += sum(node[2] for node in nodes)
            # 1/20 pixel of half a micrometre, and the grid.
            assert shapely.distance(shapely.LinearRing(ring), shapely.points(b_spline(nodes))).max() < 0.05 * 0.5 + 0.002
    assert corners <= 4 and (part or corners > 0)
    text = (tmp_path / "o.svg").read_text()
    (ring,) = [feature for feature in found if len(feature["geometry"]["coordinates"]) == 2]
    paths = [d for d in re.findall(r' d="(M[^"]*Z)"', text) if d.count("M") == 2]
    assert len(paths) == 1 and "L" not in paths[0]
    assert paths[0].count("C") == sum(len(nodes) for nodes in ring["properties"]["splines"])
    # Dots lie at the nodes.
    dots = {(float(x), float(y)) for x, y in re.findall(r'd="M([-0-9.]+) ([-0-9.]+)h0"', text)}
    size = np.array([0.25, 0.5])
    for feature in found:
        outer = np.array(feature["geometry"]["coordinates"][0]) / size
        for vertex in feature["properties"]["node_vertices"]:
            assert min(np.hypot(*(outer[vertex] - dot)) for dot in dots) < 1e-6


def test_svg_is_xml_that_fits_the_image(ok, tmp_path, truth):
    ok("segment", "a.npy", "o.svg", "--shape", "polygon")
    root = ElementTree.parse(tmp_path / "o.svg").getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.get("viewBox") == "-0.5 -0.5 120 90" and (root.get("width"), root.get("height")) == ("120", "90")
    nodes = [title for title in root.findall(".//{*}title") if title.text.startswith("node ")]
    assert len(nodes) == len(svg_points(tmp_path / "o.svg"))


@needs_tiff
def test_spacing_is_honoured(ok, tmp_path, shapely, truth):
    tifffile = pytest.importorskip("tifffile")
    tifffile.imwrite(tmp_path / "a.tif", np.load(tmp_path / "a.npy"), imagej=True, resolution=(4, 2),
                     metadata={"unit": "um"})  # fmt: skip
    report = ok("segment", "a.tif", "o.geojson", "--json").json
    assert report["inputs"][0]["spacing"] == [0.5, 0.25] and report["inputs"][0]["unit"] == "um"
    ok("segment", "a.tif", "px.geojson", "--units", "pixel")
    collection, ((points, properties),) = features(tmp_path / "o.geojson")
    pixels = outline(tmp_path / "px.geojson")[0]
    assert np.allclose(points, pixels * [0.25, 0.5], rtol=1e-12)
    assert collection["unit"] == properties["unit"] == "um" and collection["spacing"] == [0.25, 0.5]
    physical = report["result"]["objects"][0]["physical"]
    polygon = shapely.Polygon(points)
    assert physical["unit"] == "um" and physical["area"] == properties["area"] == pytest.approx(polygon.area)
    assert physical["perimeter"] == properties["perimeter"] == pytest.approx(polygon.length)
    assert report["result"]["objects"][0]["area"] == pytest.approx(shapely.Polygon(pixels).area)
    ok("segment", "a.tif", "o.csv")
    rows = csv_rows(tmp_path / "o.csv")
    assert rows[0]["unit"] == "um" and float(rows[1]["y"]) == points[1][1]
    ok("segment", "a.tif", "m.tif")
    with tifffile.TiffFile(tmp_path / "m.tif") as mask:
        assert mask.imagej_metadata["unit"] in ("um", "micron") or mask.ome_metadata
    assert "um^2" in ok("segment", "a.tif", "o.svg").out
    assert 'width="120" height="180"' in (tmp_path / "o.svg").read_text()


@needs_tiff
def test_svg_of_pixels_too_small_to_be_seen_is_that_of_a_screen(ok, tmp_path, truth):
    """Densities are pixels in a cm: the shorter side has 0.09, 0.9, 1.125 and 300 mm."""
    tifffile = pytest.importorskip("tifffile")
    image = np.load(tmp_path / "a.npy")
    for density, size in ((10000, ("120", "90")), (1000, ("120", "90")), (800, ("1.5mm", "1.125mm")), (3, ("400mm", "300mm"))):
        tifffile.imwrite(tmp_path / "a.tif", image, imagej=True, resolution=(density, density), metadata={"unit": "cm"})
        ok("segment", "a.tif", "o.svg")
        root = ElementTree.parse(tmp_path / "o.svg").getroot()
        assert (root.get("width"), root.get("height")) == size, density


@needs_tiff
def test_starts_in_physical_units_come_back_to_pixels(ok, tmp_path, truth):
    tifffile = pytest.importorskip("tifffile")
    tifffile.imwrite(tmp_path / "a.tif", np.load(tmp_path / "a.npy"), imagej=True, resolution=(4, 2),
                     metadata={"unit": "um"})  # fmt: skip
    corners = np.array([[30.5, 20], [70, 20], [70, 60.25], [30.5, 60.25]])
    write_geojson(tmp_path / "px.geojson", corners)
    write_geojson(tmp_path / "um.geojson", corners * [0.25, 0.5], unit="um", spacing=[0.25, 0.5])
    for name, unit, scale in (("px.csv", "px", [1, 1]), ("um.csv", "um", [0.25, 0.5]), ("nm.csv", "nm", [250, 500])):
        rows = [f"0,{i},{x},{y},1,{unit}" for i, (x, y) in enumerate(corners * scale)]
        (tmp_path / name).write_text("\n".join(["outline,vertex,x,y,confidence,unit", *rows]))
    expected = ok("segment", "a.tif", "o.geojson", "--init", "px.geojson", "--json").json["result"]
    text = (tmp_path / "o.geojson").read_text()
    for name in ("px.csv", "um.csv", "nm.csv", "um.geojson"):
        result = ok("segment", "a.tif", "o.geojson", "--init", name, "--json").json["result"]
        assert result["evaluations"] == expected["evaluations"], name
        assert (tmp_path / "o.geojson").read_text() == text, name


@pytest.mark.parametrize("schedule", ["pyramid", "classic"])
def test_every_kind_of_start(ok, tmp_path, truth, schedule):
    start = np.zeros(truth.shape, np.float32)
    start[30:55, 40:66] = 3
    np.save(tmp_path / "start.npy", start)
    write_geojson(tmp_path / "start.geojson", [[40, 30], [60, 28], [66, 55], [42, 50]])
    ok("segment", "a.npy", "again.geojson")
    ok("segment", "a.npy", "again.csv")
    runs = set()
    for init in ("auto", "box:40,30,65,54", "circle:48,41,12", "start.npy", "start.geojson", "again.geojson", "again.csv"):
        report = ok("segment", "a.npy", "o.geojson", "--init", init, "--schedule", schedule, "--truth", "truth.npy",
                    "--json").json  # fmt: skip
        assert report["options"]["init"] == init
        assert report["result"]["iou"] > 0.93, init
        runs.add(report["result"]["evaluations"])
    assert len(runs) > 3  # the starts made a difference


def test_polygons_may_come_bare_open_or_the_other_way_round(ok, tmp_path, truth):
    ring = [[40, 30], [60, 28], [66, 55], [42, 50]]
    bare = {"type": "Polygon", "coordinates": [[*ring, ring[0]]]}
    variants = {"bare": bare, "open": {"type": "Polygon", "coordinates": [ring]},
                "back": {"type": "Polygon", "coordinates": [[ring[0], *ring[:0:-1], ring[0]]]},
                "multi": {"type": "MultiPolygon", "coordinates": [[[*ring, ring[0]]]]},
                "feature": {"type": "Feature", "geometry": bare, "properties": None},
                "doubled": {"type": "Polygon", "coordinates": [[p for p in ring for _ in "ab"]]},
                "tall": {"type": "Polygon", "coordinates": [[[x, y, 9] for x, y in ring]]}}  # fmt: skip
    found = set()
    for name, geometry in variants.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(geometry))
        ok("segment", "a.npy", "o.geojson", "--init", f"{name}.json")
        found.add(tuple(sorted(map(tuple, outline(tmp_path / "o.geojson")[0]))))
    assert len(found) <= 2  # a polygon the other way round may begin at another node


def test_one_region_has_no_outline(ok, tmp_path):
    np.save(tmp_path / "flat.npy", np.full((40, 50), 7, np.uint8))
    np.save(tmp_path / "noise.npy", np.random.default_rng(1).normal(size=(200, 200)).astype(np.float32))
    np.save(tmp_path / "one.npy", np.full((1, 1), 9, np.uint16))
    for name in ("flat.npy", "noise.npy", "one.npy"):
        assert ok("segment", name, "o.geojson").out.startswith("no outline")
        assert features(tmp_path / "o.geojson")[1] == []
        ok("segment", name, "o.csv")
        assert csv_rows(tmp_path / "o.csv") == []
        ok("segment", name, "m.npy", "--overlay", "ov.npy")
        assert not np.load(tmp_path / "m.npy").any() and np.load(tmp_path / "ov.npy").shape[-1] == 3
        np.save(tmp_path / "none.npy", np.zeros_like(np.load(tmp_path / name), np.uint8))
        result = ok("segment", name, "o.svg", "--truth", "none.npy", "--json").json["result"]
        assert result["outlines"] == 0 and result["objects"] == [] and result["iou"] == 1


def test_types_shapes_and_devices_give_one_outline(ok, tmp_path, truth):
    image = np.load(tmp_path / "a.npy")
    ok("segment", "a.npy", "o.geojson", "--noise", "gaussian", "--device", "cpu")
    text = (tmp_path / "o.geojson").read_text()
    for options in (["--threads", "1"], ["--store", "full"], ["--device", "reference"]):
        device = [] if "--device" in options else ["--device", "cpu"]
        ok("segment", "a.npy", "p.geojson", "--noise", "gaussian", *device, *options)
        assert (tmp_path / "p.geojson").read_text() == text, options
    points = outline(tmp_path / "o.geojson")[0]
    for kind in (np.uint16, np.int16):
        np.save(tmp_path / "b.npy", image.astype(kind))
        ok("segment", "b.npy", "p.geojson", "--noise", "gaussian")
        assert outline(tmp_path / "p.geojson")[0].tolist() == points.tolist(), kind
    np.save(tmp_path / "b.npy", image.astype(np.float32) / 1000 - 5)
    result = ok("segment", "b.npy", "p.geojson", "--noise", "gaussian", "--truth", "truth.npy", "--json").json["result"]
    assert result["scale"] != 1 and result["offset"] == pytest.approx(-5, abs=0.3) and result["iou"] > 0.93
    assert result["objects"][0]["inside"]["mean"] == pytest.approx(0.14 - 5, abs=0.01)


def test_min_segment_limits_the_nodes(ok, tmp_path, truth):
    def nodes(*options):
        options = ("--shape", "polygon", *options)
        return ok("segment", "a.npy", "o.csv", "--json", *options).json["result"]["objects"][0]["nodes"]

    assert nodes("--min-segment", "1000") < nodes("--min-segment", "4")


def test_looks_and_max_step_count(ok, tmp_path):
    phantom(ok, "--noise", "gamma", "--looks", "4", "--levels", "1000,2000", "--type", "u16", size="128x128")
    free = ok("segment", "p.npy", "o.csv", "--noise", "gamma", "--json").json["result"]
    assert free["looks"] == pytest.approx(4, rel=0.3)
    given = ok("segment", "p.npy", "o.csv", "--noise", "gamma", "--looks", "2", "--json").json["result"]
    assert given["looks"] == 2 and given["criterion"] != free["criterion"]
    classic = ["segment", "p.npy", "o.csv", "--schedule", "classic", "--json"]
    assert len({ok(*classic, "--max-step", step).json["result"]["evaluations"] for step in ("2", "32")}) == 2


@needs_png
def test_overlay_shows_the_outline_on_the_image(ok, tmp_path, shapely, truth):
    report = ok("segment", "a.npy", "o.geojson", "--overlay", "ov.png", "--json").json
    assert [entry["path"] for entry in report["outputs"]] == ["o.geojson", "ov.png"]
    ok("convert", "ov.png", "ov.npy")
    picture = np.load(tmp_path / "ov.npy").astype(int)
    assert picture.shape == (360, 480, 3)  # four times as large
    coloured = np.ptp(picture, axis=-1) > 0
    ring = shapely.LinearRing((outline(tmp_path / "o.geojson")[0] + 0.5) * 4 - 0.5)
    y, x = np.mgrid[:360, :480]
    away = shapely.distance(ring, shapely.points(x, y))
    assert coloured[away < 1].all() and not coloured[away > 3.01].any()


@needs_gif
def test_evolution_shows_the_way(ok, tmp_path, truth):
    pillow = pytest.importorskip("PIL.Image")
    ok("segment", "a.npy", "o.geojson", "--evolution", "e.gif", "--overlay", "ov.npy", "--init", "box:30,20,60,50")
    film = pillow.open(tmp_path / "e.gif")
    frames = []
    for i in range(film.n_frames):
        film.seek(i)
        frames.append(np.array(film.convert("RGB")).astype(int))
    assert 20 < len(frames) <= 75

    def coloured(frame):
        return np.ptp(frame, axis=-1) > 60

    # It begins with the box, pixel x having its centre at 4x + 1.5, and ends with what was found.
    first = coloured(frames[0])
    for x, y in ((45, 20), (45, 50), (30, 35), (60, 35)):
        assert first[4 * y + 1 : 4 * y + 3, 4 * x + 1 : 4 * x + 3].all(), (x, y)
    assert not first[220:, 260:].any()
    last = np.ptp(np.load(tmp_path / "ov.npy").astype(int), axis=-1) > 60
    assert iou(coloured(frames[-1]), last) > 0.9
    assert all(np.array_equal(frames[-1], frame) for frame in frames[-15:])
    assert len({frame.tobytes() for frame in frames}) > 5


def test_repeat_and_dry_run(ok, tmp_path, truth):
    report = ok("segment", "a.npy", "o.csv", "--repeat", "3", "--json").json
    assert len(report["seconds"]["compute_runs"]) == 3
    (tmp_path / "o.csv").unlink()
    spoken = ok("segment", "a.npy", "o.csv", "--overlay", "ov.npy", "--mask-out", "m.npy", "--init", "circle:3,4,5",
                "--dry-run").out  # fmt: skip
    assert "would search with schedule pyramid, store base32, noise auto, start circle:3,4,5" in spoken
    assert "would work in memory" in spoken
    report = ok("segment", "a.npy", "o.csv", "--dry-run", "--json").json
    assert report["dry_run"] is True and report["result"]["memory_bytes"] >= 120 * 90
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.npy", "truth.npy"]

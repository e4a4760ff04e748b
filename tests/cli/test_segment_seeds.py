# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""`meander segment --init FILE`: starts of many objects from masks, labels, GeoJSON and CSV."""

import json

import numpy as np
import pytest
from outline_oracle import write_geojson

SHAPE = (96, 140)
DISCS = [(30, 28, 15), (100, 30, 18), (62, 70, 16)]  # x, y, r


def disc_mask(x0, y0, radius, shape=SHAPE):
    y, x = np.mgrid[: shape[0], : shape[1]]
    return np.hypot(x - x0, y - y0) < radius


@pytest.fixture
def shapely():
    return pytest.importorskip("shapely")


@pytest.fixture
def scene(tmp_path):
    """Three discs in noise; masks of each."""
    masks = [disc_mask(*disc) for disc in DISCS]
    noise = np.random.default_rng(7).normal(90, 15, SHAPE)
    np.save(tmp_path / "a.npy", np.clip(noise + 70 * sum(masks), 0, 255).round().astype(np.uint8))
    return masks


def square(x, y, half):
    return [[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]]


def collection(*geometries):
    features = [{"type": "Feature", "properties": {}, "geometry": geometry} for geometry in geometries]
    return json.dumps({"type": "FeatureCollection", "features": features})


def polygon(*rings):
    return {"type": "Polygon", "coordinates": list(rings)}


def csv_of(rings, header="outline,vertex,x,y"):
    return header + "\n" + "".join(f"{i},{k},{x},{y}\n" for i, ring in enumerate(rings) for k, (x, y) in enumerate(ring))


SQUARES = [square(x, y, 8) for x, y, _ in DISCS]
FILES = {
    "collection.geojson": collection(*(polygon(ring) for ring in SQUARES)),
    "multi.json": json.dumps({"type": "MultiPolygon", "coordinates": [[ring] for ring in SQUARES]}),
    "mixed.geojson": collection({"type": "MultiPolygon", "coordinates": [[SQUARES[0]], [SQUARES[1][::-1]]]},
                                polygon([*SQUARES[2], SQUARES[2][0]])),
    "outlines.csv": csv_of(SQUARES),
    "points.csv": "x,y\n" + "".join(f"{x},{y}\n" for x, y, _ in DISCS),
    "circles.csv": "x,y,r\r\n" + "".join(f"{x},{y},{r - 4.5}\r\n" for x, y, r in DISCS),
    "boxes.csv": "x0,y0,x1,y1\n" + "".join(f"{x - 9},{y + 9},{x + 9},{y - 9}\n" for x, y, _ in DISCS)}  # fmt: skip


def found_in(path, shape=SHAPE):
    """What each outline of a file covers, by shapely, in the order of the file."""
    import shapely

    y, x = np.mgrid[: shape[0], : shape[1]]
    shapes = [shapely.geometry.shape(f["geometry"]) for f in json.loads(path.read_text())["features"]]
    assert all(s.is_valid for s in shapes)
    for i, first in enumerate(shapes):
        assert not any(first.intersects(second) for second in shapes[:i])
    return [shapely.contains_xy(s, x, y) for s in shapes]


def expect_discs(path, masks):
    found = found_in(path)
    assert len(found) == len(masks)
    for covered, mask in zip(found, masks):
        assert (covered & mask).sum() / (covered | mask).sum() > 0.9


@pytest.mark.parametrize("name", FILES)
def test_every_outline_of_a_file_is_a_start(ok, tmp_path, scene, shapely, name):
    (tmp_path / name).write_text(FILES[name])
    report = ok("segment", "a.npy", "o.geojson", "--init", name, "--json").json
    assert report["options"]["init"] == name and report["result"]["outlines"] == 3
    expect_discs(tmp_path / "o.geojson", scene)


def test_what_is_written_can_be_read(ok, tmp_path, scene, shapely):
    (tmp_path / "s.csv").write_text(FILES["points.csv"])
    for out in ("again.geojson", "again.csv"):
        ok("segment", "a.npy", out, "--init", "s.csv")
        ok("segment", "a.npy", "o.geojson", "--init", out)
        expect_discs(tmp_path / "o.geojson", scene)


def test_every_part_of_a_mask_is_a_start(ok, tmp_path, scene, shapely):
    mask = sum(disc_mask(x, y, r - 5) for x, y, r in DISCS)
    for dtype, value in ((np.uint8, 255), (np.float32, 0.25), (np.int16, -1), (np.float32, np.nan)):
        np.save(tmp_path / "m.npy", np.where(mask, value, 0).astype(dtype))
        ok("segment", "a.npy", "o.geojson", "--init", "m.npy")
        expect_discs(tmp_path / "o.geojson", [scene[1], scene[0], scene[2]])  # from the top


def test_objects_come_in_the_order_of_their_labels(ok, tmp_path, scene, shapely):
    labels = sum(k * disc_mask(x, y, r - 5) for k, (x, y, r) in zip((7, 2, 300), DISCS))
    for dtype in (np.uint16, np.float64):
        np.save(tmp_path / "l.npy", labels.astype(dtype))
        ok("segment", "a.npy", "o.geojson", "--init", "l.npy")
        expect_discs(tmp_path / "o.geojson", [scene[1], scene[0], scene[2]])


def test_every_part_of_a_label_is_a_start(ok, tmp_path, scene, shapely):
    labels = sum(k * disc_mask(x, y, r - 5) for k, (x, y, r) in zip((2, 1, 1), DISCS))
    np.save(tmp_path / "l.npy", labels.astype(np.uint8))
    ok("segment", "a.npy", "o.geojson", "--init", "l.npy")
    expect_discs(tmp_path / "o.geojson", [scene[1], scene[2], scene[0]])


def noisy(levels, tmp_path, name="a.npy"):
    noise = np.random.default_rng(8).normal(0, 12, levels.shape)
    np.save(tmp_path / name, np.clip(levels + noise, 0, 255).round().astype(np.uint8))


def test_a_start_keeps_its_hole(ok, tmp_path, shapely):
    ring = disc_mask(70, 48, 36) & ~disc_mask(70, 48, 17)
    noisy(90 + 80.0 * ring, tmp_path)
    np.save(tmp_path / "m.npy", disc_mask(70, 48, 31) & ~disc_mask(70, 48, 21))
    (tmp_path / "s.geojson").write_text(json.dumps(polygon(square(70, 48, 26), square(70, 48, 18))))
    for init in ("m.npy", "s.geojson"):
        for out in ("o.geojson", "o.csv"):
            ok("segment", "a.npy", out, "--init", init)
        (feature,) = json.loads((tmp_path / "o.geojson").read_text())["features"]
        assert len(feature["geometry"]["coordinates"]) == 2
        expect_discs(tmp_path / "o.geojson", [ring])
        ok("segment", "a.npy", "o.geojson", "--init", "o.csv")  # with its column of rings
        expect_discs(tmp_path / "o.geojson", [ring])


def test_labels_may_touch(ok, tmp_path, shapely):
    left, right = np.zeros(SHAPE, bool), np.zeros(SHAPE, bool)
    left[20:76, 20:70], right[20:76, 70:120] = True, True
    noisy(60 + 60.0 * left + 130.0 * right, tmp_path)
    np.save(tmp_path / "l.npy", (left + 2 * right).astype(np.uint8))
    ok("segment", "a.npy", "o.geojson", "--init", "l.npy")
    expect_discs(tmp_path / "o.geojson", [left, right])


def test_one_start_of_many_kinds_is_searched_alone(ok, tmp_path, scene):
    x, y, r = DISCS[0]
    (tmp_path / "p.csv").write_text(f"x,y,r\n{x},{y},{r}\n")
    (tmp_path / "b.csv").write_text(f"x0,y0,x1,y1\n{x - r},{y - r},{x + r},{y + r}\n")
    for name, init in (("p.csv", f"circle:{x},{y},{r}"), ("b.csv", f"box:{x - r},{y - r},{x + r},{y + r}")):
        ok("segment", "a.npy", "o.geojson", "--init", name, "--evolution", "e.json")
        ok("segment", "a.npy", "p.geojson", "--init", init, "--evolution", "f.json")
        assert (tmp_path / "o.geojson").read_text() == (tmp_path / "p.geojson").read_text()
        assert json.loads((tmp_path / "e.json").read_text()) == json.loads((tmp_path / "f.json").read_text())


def test_an_evolution_shows_one_outline(refused, tmp_path, scene):
    (tmp_path / "p.csv").write_text(FILES["points.csv"])
    np.save(tmp_path / "m.npy", disc_mask(*DISCS[0]) & ~disc_mask(*DISCS[0][:2], 6))
    for name, found in (("p.csv", "3 starts with 0 holes"), ("m.npy", "1 starts with 1 holes")):
        message = refused(2, "segment", "a.npy", "o.csv", "--init", name, "--evolution", "e.json")
        assert "--evolution shows one outline" in message and found in message and f"{name}: " in message


def test_starts_beside_the_part_are_left_out(ok, refused, tmp_path, scene, shapely):
    (tmp_path / "p.csv").write_text(FILES["points.csv"])
    ok("segment", "a.npy", "o.geojson", "--init", "p.csv", "--roi", "0,0,80,96")
    covered = found_in(tmp_path / "o.geojson")
    assert len(covered) == 2 and covered[0][28, 30] and covered[1][70, 62]
    (tmp_path / "far.csv").write_text("x,y\n-50,-60\n30,28\n")
    assert "outline 1 of 2 holds no pixel" in refused(2, "segment", "a.npy", "o.csv", "--init", "far.csv")
    assert "no outline holds a pixel" in refused(2, "segment", "a.npy", "o.csv", "--init", "p.csv", "--roi", "0,50,20,90")
    # Overlaps are named by where they are in the whole image.
    (tmp_path / "two.csv").write_text("x0,y0,x1,y1\n20,20,30.5,30.5\n30,30,40,40\n50,50,60,60\n")
    message = refused(2, "segment", "a.npy", "o.csv", "--init", "two.csv", "--roi", "9,9,90,90")
    assert "two.csv: outlines 1 and 2 both hold pixel 30,30" in message


@pytest.mark.parametrize("name,content,code,part", [
    ("none.csv", "x,y\n", 3, "found no points"),
    ("nobox.csv", "x0,y0,x1,y1", 3, "found no boxes"),
    ("column.csv", "x,y,size\n1,2,3\n", 3, "found a column 'size' of points"),
    ("twice.csv", "x,y,r,r\n1,2,3,4\n", 3, "found a column 'r' of points"),
    ("later.csv", "x0,y0,x1,y1,unit,id\n1,2,3,4,px,5\n", 3, "found a column 'id' of boxes"),
    ("order.csv", "y,x\n1,2\n", 3, "expected the header"),
    ("half.csv", "x0,y0,x1\n1,2,3\n", 3, "expected the header"),
    ("nan.csv", "x,y\n5,5\nnan,7\n", 3, "line 3: a point at nan,7"),
    ("radius.csv", "x,y,r\n5,5,nan\n", 3, "line 2: the radius"),
    ("negative.csv", "x,y,r\n5,5,3\n50,50,-4\n", 3, "line 3: the radius"),
    ("same.csv", "x,y\n5,5\n5,5\n", 3, "line 2: the radius of a circle is 0"),
    ("far.csv", "x,y\n5,1e300\n", 3, "line 2: a coordinate"),
    ("flat.csv", "x0,y0,x1,y1\n1,1,5,5\n3,4,3,9\n", 3, "line 3: a box from 3,4 to 3,9 is empty"),
    ("letters.csv", "x,y\n5,b\n", 3, "found 'b'"),
    ("cells.csv", "x,y\n5\n", 3, "found 1 cells"),
    ("unit.csv", "x,y,unit\n5,5,um\n", 2, "no spacing in a unit of length"),
    ("ring.csv", "outline,vertex,x,y,ring\n0,0,1,2,1\n", 3, "begins with ring '1'"),
    ("all.csv", "x0,y0,x1,y1\n-1,-1,70,99\n70,-1,150,99\n", 2, "the outlines hold all pixels"),
    ("multi.geojson", json.dumps({"type": "MultiPolygon", "coordinates": [[SQUARES[0]], [SQUARES[0]]]}), 2,
     "outlines 1 and 2 both hold pixel 22,20"),
    ("cross.geojson", collection(polygon(SQUARES[0], [[28, 26], [32, 30], [32, 26], [28, 30]])), 2, "crosses itself"),
    ("line.geojson", collection(polygon(SQUARES[0]), {"type": "LineString", "coordinates": SQUARES[1]}), 4, "LineString"),
    ("soft.npy", 0.5 * np.arange(SHAPE[0] * SHAPE[1]).reshape(SHAPE), 2, "found a label 0.5"),
    ("minus.npy", -np.arange(SHAPE[0] * SHAPE[1]).reshape(SHAPE).astype(np.int16), 2, "found a label -1"),
    ("full.npy", 1 + (np.arange(SHAPE[0] * SHAPE[1]).reshape(SHAPE) > 5000).astype(np.uint8), 2, "hold all pixels")])  # fmt: skip
def test_bad_seeds_are_named(refused, tmp_path, scene, name, content, code, part):
    if name.endswith(".npy"):
        np.save(tmp_path / name, content)
    else:
        (tmp_path / name).write_text(content)
    message = refused(code, "segment", "a.npy", "o.csv", "--init", name)
    assert part in message and f"{name}: " in message


def test_too_many_starts_are_refused(refused, tmp_path):
    dots = (np.indices((513, 513)).sum(axis=0) % 2).astype(np.uint8)
    np.save(tmp_path / "a.npy", dots)
    assert "a.npy: a mask with 131584 parts" in refused(4, "segment", "a.npy", "o.csv", "--init", "a.npy")
    (tmp_path / "p.csv").write_text("x,y\n" + "5,5\n" * 65536)
    assert "p.csv: found more than 65535 outlines" in refused(4, "segment", "a.npy", "o.csv", "--init", "p.csv")


def test_model_edge_takes_seeds_too(ok, refused, tmp_path, scene, shapely):
    rows = "".join(f"{x},{y},{r + 5}\n" for x, y, r in DISCS)
    (tmp_path / "p.csv").write_text("x,y,r\n" + rows)
    ok("segment", "a.npy", "o.geojson", "--model", "edge", "--init", "p.csv")
    expect_discs(tmp_path / "o.geojson", scene)
    write_geojson(tmp_path / "line.geojson", SQUARES[0])
    message = refused(2, "segment", "a.npy", "o.csv", "--model", "edge", "--open", "free", "--init", "p.csv")
    assert "found points, expected lines where open curves are asked for" in message
    (tmp_path / "hole.geojson").write_text(json.dumps(polygon(SQUARES[0], square(*DISCS[0][:2], 2))))
    assert "1 holes" in refused(4, "segment", "a.npy", "o.csv", "--model", "edge", "--init", "hole.geojson")
    (tmp_path / "ring.csv").write_text("outline,vertex,x,y,ring\n" + "".join(
        f"1,{k},{x},{y},{ring}\n" for ring, half in ((0, 8), (1, 2)) for k, (x, y) in enumerate(square(30, 28, half))))  # fmt: skip
    assert "1 holes" in refused(4, "segment", "a.npy", "o.csv", "--model", "edge", "--init", "ring.csv")


def test_outlines_of_a_table_have_zones_and_its_boxes_grow(ok, tmp_path):
    """A small square in a disc: as an outline it goes no farther than its radius, as a box it fills the disc."""
    noise = np.random.default_rng(7).normal(90, 15, (120, 120))
    np.save(tmp_path / "a.npy", (noise + 70 * disc_mask(60, 60, 45, (120, 120))).astype(np.uint8))
    (tmp_path / "outline.csv").write_text(csv_of([square(60, 60, 6)]))
    (tmp_path / "box.csv").write_text("x0,y0,x1,y1\n54,54,66,66\n")
    area = {name: ok("segment", "a.npy", "o.geojson", "--init", f"{name}.csv", "--json").json["result"]["objects"][0]["area"]
            for name in ("outline", "box")}
    assert area["box"] > 6000 and area["outline"] < 1200

# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""`meander segment`: files of many objects, as ImageJ's, labels and tables, and what a truth of labels says."""

import json
import zipfile

import numpy as np
import pytest
from outline_oracle import csv_rows, disc, features, outline

DISCS = [((40, 45), 18), ((115, 50), 22)]
EDGE = ["--model", "edge", "--init", "s.csv"]


@pytest.fixture
def roifile():
    return pytest.importorskip("roifile")


@pytest.fixture
def shapely():
    return pytest.importorskip("shapely")


def labels_of(discs, shape=(96, 160)):
    y, x = np.mgrid[: shape[0], : shape[1]]
    labels = np.zeros(shape, np.uint16)
    for k, ((u, v), radius) in enumerate(discs):
        labels[np.hypot(x - u, y - v) < radius] = k + 1
    return labels


def write_discs(folder, discs, shape=(96, 160), margin=7):
    """An image, a truth of labels and boxes to start from."""
    labels = labels_of(discs, shape)
    np.save(folder / "a.npy", (50 + 100 * (labels > 0)).astype(np.uint8))
    np.save(folder / "truth.npy", labels)
    corners = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    rows = [f"{i},{k},{u + d * (r + margin)},{v + e * (r + margin)}"
            for i, ((u, v), r) in enumerate(discs) for k, (d, e) in enumerate(corners)]  # fmt: skip
    (folder / "s.csv").write_text("\n".join(["outline,vertex,x,y", *rows]))
    return labels


@pytest.fixture
def two(tmp_path):
    return write_discs(tmp_path, DISCS)


@pytest.fixture
def one(tmp_path):
    image, mask = disc()
    np.save(tmp_path / "a.npy", image)
    return mask


def test_roi_opens_elsewhere_with_the_same_coordinates(ok, tmp_path, roifile, one):
    ok("segment", "a.npy", "o.geojson")
    report = ok("segment", "a.npy", "o.roi", "--json").json
    assert [entry["path"] for entry in report["outputs"]] == ["o.roi"]
    found = roifile.roiread(tmp_path / "o.roi")
    assert found.name == "0001" and found.roitype == roifile.ROI_TYPE.POLYGON and found.subpixelresolution
    points = outline(tmp_path / "o.geojson")[0] + 0.5
    assert found.coordinates().tolist() == points.tolist()
    assert (found.left, found.top) == tuple(np.floor(points.min(0)))
    assert (found.right, found.bottom) == tuple(np.ceil(points.max(0)))


def test_sets_open_elsewhere_with_the_same_coordinates(ok, tmp_path, roifile, two):
    ok("segment", "a.npy", "o.geojson", *EDGE)
    ok("segment", "a.npy", "o.zip", *EDGE)
    with zipfile.ZipFile(tmp_path / "o.zip") as archive:
        assert archive.testzip() is None
        assert archive.namelist() == ["0001.roi", "0002.roi"]
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    rois = roifile.roiread(tmp_path / "o.zip")
    assert [roi.name for roi in rois] == ["0001", "0002"]
    for roi, (points, properties) in zip(rois, features(tmp_path / "o.geojson")[1], strict=True):
        assert int(roi.name) == properties["id"]
        assert roi.coordinates().tolist() == (points + 0.5).tolist()
    ok("segment", "a.npy", "again.zip", *EDGE, "--threads", "1")
    assert (tmp_path / "again.zip").read_bytes() == (tmp_path / "o.zip").read_bytes()


def test_rois_of_a_part_lie_on_the_whole(ok, tmp_path, roifile, two):
    part = ["--roi", "80,10,160,96"]
    (tmp_path / "s.csv").write_text("outline,vertex,x,y\n0,0,88,24\n0,1,142,24\n0,2,142,78\n0,3,88,78\n")
    ok("segment", "a.npy", "o.roi", *EDGE, *part, "--labels-out", "l.npy", "--table", "t.csv")
    points = roifile.roiread(tmp_path / "o.roi").coordinates() - 0.5
    assert np.allclose(points.mean(0), (115, 50), atol=0.5)
    labels = np.load(tmp_path / "l.npy")
    assert labels.shape == two.shape and labels.dtype == np.uint16
    assert ((labels == 1) & (two == 2)).sum() > 0.95 * (two == 2).sum() and not labels[:, :80].any()
    (row,) = csv_rows(tmp_path / "t.csv")
    assert float(row["x"]) == pytest.approx(115, abs=0.3) and float(row["y"]) == pytest.approx(50, abs=0.3)
    result = ok("segment", "a.npy", "o.roi", *EDGE, *part, "--json").json["result"]
    assert result["objects"][0]["x"] == float(row["x"]) and result["objects"][0]["y"] == float(row["y"])


def test_a_roi_holds_one_outline(refused, tmp_path, two):
    error = refused(4, "segment", "a.npy", "o.roi", *EDGE, "--overlay", "v.npy", "--mask-out", "m.npy", "--table", "t.csv")
    assert "o.roi: found 2 outlines, expected 1 for a .roi" in error and ".zip" in error
    np.save(tmp_path / "flat.npy", np.full((40, 50), 7, np.uint8))
    assert "found 0 outlines" in refused(4, "segment", "flat.npy", "o.roi")


def test_no_outline_is_an_empty_set_and_table(ok, tmp_path):
    np.save(tmp_path / "flat.npy", np.full((40, 50), 7, np.uint8))
    ok("segment", "flat.npy", "o.zip", "--table", "t.csv", "--labels-out", "l.npy")
    assert zipfile.ZipFile(tmp_path / "o.zip").namelist() == []
    assert csv_rows(tmp_path / "t.csv") == [] and (tmp_path / "t.csv").read_text().startswith("id,area,")
    assert not np.load(tmp_path / "l.npy").any()


def test_open_curves_are_lines_for_imagej_too(ok, refused, tmp_path, roifile, two):
    y = np.mgrid[:96, :160][0].astype(float)
    np.save(tmp_path / "f.npy", np.stack([np.zeros((96, 160)), np.clip(60 - y, -1, 1)], -1).astype(np.float32))
    line = ["--model", "edge", "--field", "f.npy", "--init", "line:20,40,100,40", "--open", "fixed"]
    ok("segment", "a.npy", "o.geojson", *line, "--table", "t.csv")
    ok("segment", "a.npy", "o.roi", *line)
    found = roifile.roiread(tmp_path / "o.roi")
    assert found.roitype == roifile.ROI_TYPE.POLYLINE
    (feature,) = json.loads((tmp_path / "o.geojson").read_text())["features"]
    assert found.coordinates().tolist() == (np.array(feature["geometry"]["coordinates"]) + 0.5).tolist()
    (row,) = csv_rows(tmp_path / "t.csv")
    assert float(row["perimeter"]) == feature["properties"]["length"] and row["area"] == row["x"] == ""
    assert "--labels-out goes with closed curves" in refused(2, "segment", "a.npy", "o.csv", *line, "--labels-out", "l.npy")


def test_labels_are_the_numbers_of_the_objects(ok, tmp_path, shapely, two):
    report = ok("segment", "a.npy", "o.geojson", *EDGE, "--labels-out", "l.npy", "--mask-out", "m.npy", "--json").json
    outputs = {entry["path"]: entry.get("type") for entry in report["outputs"]}
    assert outputs == {"o.geojson": None, "l.npy": "u16", "m.npy": "u8"}
    labels = np.load(tmp_path / "l.npy")
    assert labels.dtype == np.uint16 and labels.shape == two.shape
    assert ((labels > 0) == (np.load(tmp_path / "m.npy") == 255)).all()
    y, x = np.mgrid[: labels.shape[0], : labels.shape[1]]
    for points, properties in features(tmp_path / "o.geojson")[1]:
        polygon = shapely.Polygon(points)
        near = shapely.dwithin(polygon.exterior, shapely.points(x, y), 1e-6)
        assert ((labels == properties["id"]) == shapely.contains_xy(polygon, x, y))[~near].all()


def test_table_says_what_others_measure(ok, tmp_path, shapely, one):
    report = ok("segment", "a.npy", "o.geojson", "--table", "t.csv", "--mask-out", "m.npy", "--json").json
    assert [entry["path"] for entry in report["outputs"]] == ["o.geojson", "m.npy", "t.csv"]
    (row,), (found,) = csv_rows(tmp_path / "t.csv"), report["result"]["objects"]
    assert list(row) == ["id", "area", "perimeter", "circularity", "x", "y", "mean", "sigma", "background_mean",
                         "background_sigma", "contrast", "confidence", "nodes", "holes"]  # fmt: skip
    row = {key: float(value) for key, value in row.items()}
    points, properties = outline(tmp_path / "o.geojson")
    polygon = shapely.Polygon(points)
    assert row["id"] == found["id"] == properties["id"] == 1
    assert row["holes"] == found["holes"] == properties["holes"] == 0 and row["nodes"] == found["nodes"]
    assert row["area"] == found["area"] == pytest.approx(polygon.area, rel=1e-12)
    assert row["perimeter"] == pytest.approx(polygon.length, rel=1e-12)
    assert (row["x"], row["y"]) == pytest.approx((polygon.centroid.x, polygon.centroid.y), rel=1e-12)
    assert (found["x"], found["y"]) == (row["x"], row["y"])
    circularity = 4 * np.pi * polygon.area / polygon.length**2
    assert row["circularity"] == found["circularity"] == properties["circularity"] == pytest.approx(circularity, rel=1e-12)
    image, mask = np.load(tmp_path / "a.npy").astype(float), np.load(tmp_path / "m.npy") > 0
    inside, outside = image[mask], image[~mask]
    assert (row["mean"], row["sigma"]) == pytest.approx((inside.mean(), inside.std()), rel=1e-9)
    assert (row["background_mean"], row["background_sigma"]) == pytest.approx((outside.mean(), outside.std()), rel=1e-9)
    contrast = (inside.mean() - outside.mean()) / outside.std()
    assert row["contrast"] == found["contrast"] == properties["contrast"] == pytest.approx(contrast, rel=1e-9)
    assert row["confidence"] == min(properties["confidence"])


def test_table_of_curves(ok, tmp_path, shapely, two):
    result = ok("segment", "a.npy", "o.geojson", *EDGE, "--table", "t.csv", "--json").json["result"]
    rows = csv_rows(tmp_path / "t.csv")
    assert list(rows[0]) == ["id", "area", "perimeter", "circularity", "x", "y", "nodes", "end"]
    for row, found, (points, properties) in zip(rows, result["objects"], features(tmp_path / "o.geojson")[1], strict=True):
        polygon = shapely.Polygon(points)
        assert int(row["id"]) == found["id"] == properties["id"] and row["end"] == "settled"
        assert float(row["area"]) == found["area"] == pytest.approx(polygon.area, rel=1e-12)
        assert (float(row["x"]), float(row["y"])) == (found["x"], found["y"])
        assert (found["x"], found["y"]) == pytest.approx((polygon.centroid.x, polygon.centroid.y), rel=1e-12)
        assert float(row["circularity"]) == found["circularity"]


def test_targets_are_checked_before_anything_is_computed(refused, tmp_path, one):
    assert "t.txt: found the suffix '.txt', expected .csv" in refused(4, "segment", "a.npy", "o.csv", "--table", "t.txt", "--dry-run")
    assert "l.geojson" in refused(4, "segment", "a.npy", "o.csv", "--labels-out", "l.geojson", "--dry-run")
    for first, second, words in (("--table", "o.csv", "named twice"), ("--labels-out", "a.npy", "a.npy is an input too")):
        assert words in refused(2, "segment", "a.npy", "o.csv", first, second, "--dry-run")
    twice = refused(2, "segment", "a.npy", "o.csv", "--labels-out", "l.npy", "--mask-out", "l.npy", "--dry-run")
    assert "l.npy: named twice" in twice
    assert "none/t.csv" in refused(7, "segment", "a.npy", "o.csv", "--table", "none/t.csv", "--dry-run")
    error = refused(4, "segment", "a.npy", "o.doc", "--dry-run")
    assert ".roi or .zip" in error


def matched(truth, found):
    """Counts and the mean of the intersections over union above a half, by brute force."""
    values = []
    for t in np.unique(truth[truth > 0]):
        for f in np.unique(found[found > 0]):
            both, either = ((truth == t) & (found == f)).sum(), ((truth == t) | (found == f)).sum()
            values += [both / either] if both / either > 0.5 else []
    counts = len(np.unique(truth[truth > 0])), len(np.unique(found[found > 0]))
    return len(values), counts[0] - len(values), counts[1] - len(values), np.mean(values) if values else None


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.float32])
def test_a_truth_of_labels_tells_objects_apart(ok, tmp_path, two, kind):
    common = ["segment", "a.npy", "o.csv", *EDGE, "--labels-out", "l.npy", "--truth", "t.npy"]
    # The second is shifted by half of its width, a third is nowhere else.
    truth = labels_of([DISCS[0], ((135, 50), 22), ((80, 10), 5)]).astype(kind) * 9
    np.save(tmp_path / "t.npy", truth)
    result = ok(*common, "--json").json["result"]
    expected = matched(truth, np.load(tmp_path / "l.npy"))
    assert expected[:3] == (1, 2, 1)
    assert tuple(result[f"objects_{key}"] for key in ("found", "missed", "false")) == expected[:3]
    assert result["mean_iou"] == pytest.approx(expected[3], rel=1e-12)
    labels = np.load(tmp_path / "l.npy")
    assert result["iou"] == pytest.approx(((labels > 0) & (truth > 0)).sum() / ((labels > 0) | (truth > 0)).sum(), rel=1e-12)
    assert "1 found, mean intersection over union" in ok(*common).out


def boundary(mask):
    """Places of pixels with one that is not of the mask, or the border, at one of their sides."""
    padded = np.pad(mask, 1)
    within = padded[:-2, 1:-1] & padded[2:, 1:-1] & padded[1:-1, :-2] & padded[1:-1, 2:]
    return np.argwhere(mask & ~within).astype(float)


def boundary_distances(truth, found):
    ways = np.hypot(*(boundary(truth)[:, None] - boundary(found)[None]).transpose(2, 0, 1))
    every = np.concatenate([ways.min(0), ways.min(1)])
    return every.mean(), np.percentile(every, 95), every.max()


def test_distances_between_boundaries(ok, tmp_path, two):
    common = ["segment", "a.npy", "o.csv", *EDGE, "--labels-out", "l.npy", "--truth", "t.npy"]
    truth = labels_of([((38, 43), 20), ((120, 52), 19), ((80, 10), 5)])
    np.save(tmp_path / "t.npy", truth)
    result = ok(*common, "--json").json["result"]
    labels = np.load(tmp_path / "l.npy")
    each = np.array([boundary_distances(truth == k, labels == k) for k in (1, 2)])
    expected = [*each[:, :2].mean(0), each[:, 2].max()]
    assert result["objects_found"] == 2 and min(expected) > 0.5
    assert [result[f"boundary_{key}"] for key in ("mean", "95", "max")] == pytest.approx(expected, rel=1e-12)
    assert f"at most {expected[2]:.4g}" in ok(*common).out
    # A mask of one object has a boundary as well; where nothing is found there are no distances.
    np.save(tmp_path / "t.npy", (truth == 1).astype(np.uint8) * 255)
    result = ok(*common, "--json").json["result"]
    assert result["boundary_max"] == pytest.approx(each[0, 2], rel=1e-12) and "objects_found" not in result
    np.save(tmp_path / "t.npy", truth // 3)
    assert "boundary_max" not in ok(*common, "--json").json["result"]


def test_a_truth_where_nothing_is_found(ok, tmp_path, two):
    np.save(tmp_path / "t.npy", labels_of([((80, 10), 5), ((80, 80), 5)]))
    result = ok("segment", "a.npy", "o.csv", *EDGE, "--truth", "t.npy", "--json").json["result"]
    assert (result["objects_found"], result["objects_missed"], result["objects_false"]) == (0, 2, 2)
    assert result["mean_iou"] is None and result["iou"] == 0


def test_half_is_not_found(ok, tmp_path, two):
    """A truth whose one label is exactly half of an object: the union is the object, and half of it is not more than half."""
    ok("segment", "a.npy", "m.npy", *EDGE, "--labels-out", "l.npy")
    labels = np.load(tmp_path / "l.npy")
    places = np.argwhere(labels == 1)
    half = np.zeros_like(labels)
    half[tuple(places[: len(places) // 2].T)] = 4
    for extra, found in ((0, 1), (2, 2)):
        half[tuple(places[len(places) // 2 : len(places) // 2 + extra].T)] = 4
        np.save(tmp_path / "t.npy", np.where(labels == 2, 2, half))
        result = ok("segment", "a.npy", "o.csv", *EDGE, "--truth", "t.npy", "--json").json["result"]
        assert result["objects_found"] == found, extra


def test_a_truth_that_is_a_mask_has_no_objects(ok, tmp_path, two):
    for name, truth in (("mask", (two > 0) * 255), ("parts", np.where(two == 2, 0.5, two)), ("below", -two.astype(np.int16))):
        np.save(tmp_path / "t.npy", truth.astype(np.int16 if name == "below" else np.float32))
        result = ok("segment", "a.npy", "o.csv", *EDGE, "--truth", "t.npy", "--json").json["result"]
        assert "objects_found" not in result and result["iou"] > 0.95, name


def test_many_outlines_are_told_in_one_line(ok, tmp_path):
    discs = [((20 + 32 * i, 20 + 32 * j), 9 + i) for j in range(3) for i in range(3)]
    write_discs(tmp_path, discs, (104, 104), margin=3)
    text = ok("segment", "a.npy", "o.zip", *EDGE, "--overlay", "v.npy").out
    assert text.startswith("9 curves: area median ") and text.count("\n") == 1 and "9 settled" in text
    assert len(zipfile.ZipFile(tmp_path / "o.zip").namelist()) == 9
    # Digits are white; the image has grey of its own only.
    picture = np.load(tmp_path / "v.npy")
    scale = picture.shape[0] // 104
    for (u, v), _ in discs:
        middle = picture[scale * (v - 3) : scale * (v + 3), scale * (u - 3) : scale * (u + 3)]
        assert (middle == 0).all(-1).any() or (middle < 80).all(-1).any()  # the dark rim on the bright disc


@pytest.fixture
def ring(tmp_path):
    """A ring and a disc, with noise."""
    y, x = np.mgrid[:120, :180]
    away = np.hypot(x - 60, y - 60)
    mask = ((away < 45) & (away > 20)) | (np.hypot(x - 145, y - 60) < 18)
    image = 100 + 60 * mask + np.random.default_rng(2).normal(0, 8, mask.shape)
    np.save(tmp_path / "a.npy", np.rint(image).astype(np.uint8))
    return mask


def test_holes_are_in_every_file(ok, tmp_path, shapely, roifile, ring):
    extra = ["--labels-out", "l.npy", "--mask-out", "m.npy", "--table", "t.csv"]
    result = ok("segment", "a.npy", "o.geojson", *extra, "--json").json["result"]
    shapes = [shapely.from_geojson(json.dumps(f["geometry"])) for f in json.loads((tmp_path / "o.geojson").read_text())["features"]]
    assert [len(shape.interiors) for shape in shapes] == [1, 0] == [found["holes"] for found in result["objects"]]
    for shape in shapes:
        assert shape.is_valid and shape.exterior.is_ccw and not any(hole.is_ccw for hole in shape.interiors)
    rows, labels = csv_rows(tmp_path / "t.csv"), np.load(tmp_path / "l.npy")
    y, x = np.mgrid[: ring.shape[0], : ring.shape[1]]
    for shape, row, found in zip(shapes, rows, result["objects"], strict=True):
        inside = shapely.contains_xy(shape, x, y)
        near = shapely.dwithin(shape.boundary, shapely.points(x, y), 1e-6)
        assert ((labels == int(row["id"])) == inside)[~near].all()
        assert float(row["area"]) == found["area"] == pytest.approx(shape.area, rel=1e-12)
        assert float(row["perimeter"]) == found["perimeter"] == pytest.approx(shape.length, rel=1e-12)
        assert (float(row["x"]), float(row["y"])) == pytest.approx((shape.centroid.x, shape.centroid.y), rel=1e-12)
    mask = np.load(tmp_path / "m.npy") > 0
    assert not mask[60, 60] and (mask == (labels > 0)).all() and (mask & ring).sum() / (mask | ring).sum() > 0.95
    ok("segment", "a.npy", "o.zip")
    whole, plain = roifile.roiread(tmp_path / "o.zip")
    assert whole.composite and not plain.composite
    paths = [np.array(path) - 0.5 for path in roifile.ImagejRoi.path2coords(whole.multi_coordinates)]
    assert [path[:-1].tolist() for path in paths] == [
        np.array(ring.coords)[:-1].tolist() for ring in (shapes[0].exterior, *shapes[0].interiors)
    ]
    assert plain.coordinates().tolist() == (np.array(shapes[1].exterior.coords)[:-1] + 0.5).tolist()


def test_holes_come_back_from_csv(ok, tmp_path, ring):
    ok("segment", "a.npy", "o.csv")
    rows = csv_rows(tmp_path / "o.csv")
    assert {(row["outline"], row["ring"]) for row in rows} == {("1", "0"), ("1", "1"), ("2", "0")}
    assert all((row["confidence"] == "") == (row["ring"] == "1" or row["node"] == "0") for row in rows)
    assert {row["ring"] for row in rows if row["node"] == "1"} == {"0", "1"}
    result = ok("segment", "a.npy", "again.csv", "--init", "o.csv", "--json").json["result"]
    assert [found["holes"] for found in result["objects"]] == [1, 0]

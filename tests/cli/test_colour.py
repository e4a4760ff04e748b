# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""Colour images with verbs that take one channel."""

import numpy as np
import pytest

from conftest import needs_jpeg, needs_png, needs_tiff

GREYS = {
    "luminance": lambda rgb: rgb @ [0.2126, 0.7152, 0.0722],
    "red": lambda rgb: rgb[..., 0],
    "green": lambda rgb: rgb[..., 1],
    "blue": lambda rgb: rgb[..., 2],
    "max": lambda rgb: rgb.max(-1),
    "mean": lambda rgb: rgb.mean(-1),
}


@pytest.fixture
def rgb(tmp_path, image):
    """No channel is like another, and the disc is in each."""
    values = np.stack([image, 255 - image // 2, image // 3], -1).astype(np.uint8)
    np.save(tmp_path / "rgb.npy", values)
    return values


def save_picture(path, values, **options):
    pytest.importorskip("PIL.Image").fromarray(values).save(path, **options)


def assert_same(folder, a, b):
    assert (folder / a).read_bytes() == (folder / b).read_bytes()


@needs_png
def test_rgb_that_is_grey_is_segmented_as_grey(ok, tmp_path, image):
    save_picture(tmp_path / "screenshot.png", np.stack([image] * 3, -1))
    save_picture(tmp_path / "opaque.png", np.stack([image] * 3 + [np.full_like(image, 255)], -1))
    ok("segment", "a.npy", "expected.geojson")
    for name in ("screenshot.png", "opaque.png"):
        ok("segment", name, "found.geojson")
        assert_same(tmp_path, "found.geojson", "expected.geojson")
        ok("flow", name, "found.npy")
        ok("flow", "a.npy", "expected.npy")
        assert_same(tmp_path, "found.npy", "expected.npy")


@needs_jpeg
def test_a_grey_jpeg_that_was_saved_as_rgb_is_grey(ok, tmp_path, image):
    save_picture(tmp_path / "photo.jpg", np.stack([image] * 3, -1), quality=95)
    ok("convert", "photo.jpg", "grey.npy", "--channel", "0")
    ok("segment", "photo.jpg", "found.geojson")
    ok("segment", "grey.npy", "expected.geojson")
    assert_same(tmp_path, "found.geojson", "expected.geojson")


@needs_tiff
def test_a_film_of_grey_rgb_is_followed(ok, refused, tmp_path, image):
    tifffile = pytest.importorskip("tifffile")
    frames = np.stack([image, np.roll(image, 1, 1), np.roll(image, 2, 1)])
    tifffile.imwrite(tmp_path / "grey.tif", frames, imagej=True, metadata={"axes": "TYX"})
    tifffile.imwrite(tmp_path / "rgb.tif", np.stack([frames] * 3, -1), imagej=True, metadata={"axes": "TYXS"})
    ok("segment", "grey.tif", "expected.csv", "--propagate")
    ok("segment", "rgb.tif", "found.csv", "--propagate")
    assert_same(tmp_path, "found.csv", "expected.csv")
    tifffile.imwrite(tmp_path / "red.tif", frames[..., None] * np.array([1, 0, 0], np.uint8), imagej=True, metadata={"axes": "TYXS"})
    error = refused(2, "segment", "red.tif", "o.csv", "--propagate")
    assert "red.tif" in error and "--channel" in error and "--grey" in error


@needs_png
def test_masks_may_be_grey_rgb_too(ok, refused, tmp_path, image):
    mask = (image > 120).astype(np.uint8)
    np.save(tmp_path / "mask.npy", mask)
    save_picture(tmp_path / "mask.png", np.stack([mask * 255] * 3, -1))
    save_picture(tmp_path / "colours.png", mask[..., None] * np.array([255, 0, 0], np.uint8))
    for option in ("--init", "--truth"):
        found, expected = (ok("segment", "a.npy", "o.csv", option, name, "--json").json["result"] for name in ("mask.png", "mask.npy"))
        assert found["objects"] == expected["objects"] and found.get("iou") == expected.get("iou")
        error = refused(2, "segment", "a.npy", "p.csv", option, "colours.png")
        assert "colours.png: an image with 3 channels that differ" in error
        assert "`meander convert` with --channel or --grey makes one" in error
    for verb, *options in (["flow"], ["smooth", "--sigma", "2"]):
        for name in ("mask.png", "mask.npy"):
            ok(verb, "a.npy", name + ".npy", "--mask", name, *options)
        assert_same(tmp_path, "mask.png.npy", "mask.npy.npy")
        error = refused(2, verb, "a.npy", "o.npy", "--mask", "colours.png", *options)
        assert "colours.png: " in error and "--channel" in error and "--grey" in error


@needs_tiff
def test_a_mask_of_several_channels_is_refused_by_its_name(refused, tmp_path, image):
    tifffile = pytest.importorskip("tifffile")
    tifffile.imwrite(tmp_path / "two.tif", np.stack([image] * 2), imagej=True, metadata={"axes": "CYX"})
    for verb in ("smooth", "flow"):
        error = refused(2, verb, "a.npy", "o.npy", "--mask", "two.tif")
        assert "two.tif: a mask of 61x45 with 2 channels, expected 61x45 with 1; " in error and "--channel or --grey" in error


FILTERS = [["smooth", "--sigma", "2"], ["react", "--steps", "8", "--type", "f32"]]


@needs_png
@pytest.mark.parametrize("verb, options", [(verb, options) for verb, *options in FILTERS])
def test_rgb_that_is_grey_is_filtered_as_grey(ok, tmp_path, image, rgb, verb, options):
    save_picture(tmp_path / "screenshot.png", np.stack([image] * 3, -1))
    save_picture(tmp_path / "photo.png", rgb)
    ok(verb, "screenshot.png", "found.npy", *options)
    ok(verb, "a.npy", "expected.npy", *options)
    assert_same(tmp_path, "found.npy", "expected.npy")
    ok(verb, "photo.png", "colours.npy", *options)
    assert np.load(tmp_path / "colours.npy").shape == rgb.shape


@needs_tiff
@pytest.mark.parametrize("verb, options", [(verb, options) for verb, *options in FILTERS])
def test_a_film_is_grey_when_all_its_frames_are(ok, tmp_path, image, rgb, verb, options):
    tifffile = pytest.importorskip("tifffile")
    grey = np.stack([image] * 3, -1)
    for name, frames in (("grey", [grey, grey]), ("late", [grey, rgb])):
        tifffile.imwrite(tmp_path / f"{name}.tif", np.stack(frames), imagej=True, metadata={"axes": "TYXS"})
        ok(verb, f"{name}.tif", f"{name}.npy", *options, *([] if verb == "react" else ["--frame", "all"]))
    assert np.load(tmp_path / "grey.npy").shape == (2, 1, *image.shape, 1)
    assert np.load(tmp_path / "late.npy").shape == (2, 1, *image.shape, 3)


@needs_png
@needs_tiff
def test_networks_know_opacity_of_every_format(ok, tmp_path, rgb):
    tifffile = pytest.importorskip("tifffile")
    four = np.concatenate([rgb, np.full_like(rgb[..., :1], 255)], -1)
    save_picture(tmp_path / "a.png", four)
    tifffile.imwrite(tmp_path / "a.tif", four, photometric="rgb", extrasamples=["unassalpha"])
    for name in ("a.png", "a.tif"):
        ok("react", name, name + ".npy", "--steps", "2", "--type", "f32")
    assert np.load(tmp_path / "a.tif.npy").shape == rgb.shape
    assert_same(tmp_path, "a.tif.npy", "a.png.npy")


@needs_png
def test_grey_rgb_is_compared_with_grey_and_kept_by_convert(ok, run, refused, tmp_path, image, rgb):
    save_picture(tmp_path / "grey.png", np.stack([image] * 3, -1))
    save_picture(tmp_path / "photo.png", rgb)
    ok("compare", "grey.png", "a.npy")
    ok("compare", "a.npy", "grey.png")
    np.save(tmp_path / "other.npy", image + 1)
    assert run("compare", "grey.png", "other.npy").code == 8
    for files in (["photo.png", "a.npy"], ["a.npy", "photo.png"]):
        error = refused(2, "compare", *files)
        assert "photo.png: an image with 3 channels that differ" in error and "--channel N" in error and "--grey luminance" in error
    np.save(tmp_path / "two.npy", rgb[..., :2])
    error = refused(2, "compare", "two.npy", "photo.png", "--channels")
    assert "two.npy: found 2 channels and 3 in photo.png" in error and "--channel N" in error and "--grey" in error
    ok("convert", "grey.png", "kept.npy")
    assert np.load(tmp_path / "kept.npy").shape == rgb.shape


@pytest.mark.parametrize("verb", ["segment", "flow"])
def test_colours_are_refused_by_the_names_of_what_helps(run, refused, tmp_path, rgb, verb):
    out = {"segment": "o.geojson", "flow": "o.npy"}[verb]
    for channels in (2, 3):
        np.save(tmp_path / "c.npy", rgb[..., :channels])
        error = refused(2, verb, "c.npy", out, "--channels")
        assert f"c.npy: an image with {channels} channels" in error
        advice = "luminance" if channels == 3 else "mean"
        assert f"--channel N takes one of them, --grey {advice} makes one" in error
        assert run(verb, "c.npy", out, "--channels", "--grey", advice).code == 0


@pytest.mark.parametrize("grey", GREYS)
def test_grey_makes_one_channel(ok, tmp_path, rgb, grey):
    ok("convert", "rgb.npy", "g.npy", "--channels", "--grey", grey)
    expected = GREYS[grey](rgb.astype(float))
    found = np.load(tmp_path / "g.npy")
    assert found.dtype == np.uint8 and found.shape == expected.shape
    assert np.abs(found - expected).max() <= 0.5 + 1e-9  # rounded once
    for verb, out, *options in (
        ("segment", "o.geojson"), ("flow", "o.npy"), ("smooth", "o.npy", "--sigma", "2"), ("react", "o.npy", "--steps", "8")
    ):  # fmt: skip
        ok(verb, "rgb.npy", "a_" + out, "--channels", "--grey", grey, *options)
        ok(verb, "g.npy", "b_" + out, *options)
        assert_same(tmp_path, "a_" + out, "b_" + out)
    ok("compare", "rgb.npy", "g.npy", "--channels", "--grey", grey)
    assert ok("info", "rgb.npy", "--channels", "--grey", grey, "--json").json["result"]["sum"] == found.sum(dtype=int)


def test_grey_leaves_grey_images_alone(ok, tmp_path, image):
    for grey in GREYS:
        ok("convert", "a.npy", "b.npy", "--grey", grey)
        assert np.array_equal(np.load(tmp_path / "b.npy"), image)


@needs_png
@needs_tiff
def test_opacity_is_no_colour(ok, tmp_path, rgb):
    tifffile = pytest.importorskip("tifffile")
    four = np.concatenate([rgb, np.full_like(rgb[..., :1], 255)], -1)
    save_picture(tmp_path / "a.png", four)
    tifffile.imwrite(tmp_path / "a.tif", four, photometric="rgb", extrasamples=["unassalpha"])
    for name in ("a.png", "a.tif"):
        ok("convert", name, "g.npy", "--grey", "max")
        assert np.array_equal(np.load(tmp_path / "g.npy"), rgb.max(-1)), name
    tifffile.imwrite(tmp_path / "b.tif", np.moveaxis(four, -1, 0), imagej=True, metadata={"axes": "CYX"})
    ok("convert", "b.tif", "g.npy", "--grey", "max")
    assert np.all(np.load(tmp_path / "g.npy") == 255), "four channels of a microscope all count"


def test_grey_in_slabs_is_that_of_the_whole(ok, tmp_path):
    values = np.random.default_rng(1).integers(0, 256, (2000, 300, 3), np.uint8)
    np.save(tmp_path / "rgb.npy", values)
    ok("convert", "rgb.npy", "g.npy", "--channels", "--grey", "mean", "--memory", "2M")
    assert np.array_equal(np.load(tmp_path / "g.npy"), np.round(values.mean(-1)).astype(np.uint8))


def test_bad_greys(refused, tmp_path, rgb):
    assert "luminance, red, green, blue, max, mean" in refused(2, "convert", "rgb.npy", "o.npy", "--channels", "--grey", "hue")
    assert "--channel and --grey" in refused(2, "convert", "rgb.npy", "o.npy", "--channels", "--grey", "red", "--channel", "1")
    np.save(tmp_path / "two.npy", rgb[..., :2])
    error = refused(2, "convert", "two.npy", "o.npy", "--channels", "--grey", "luminance")
    assert "two.npy: found 2 channels, expected red, green and blue for --grey luminance" in error
    assert "--grey max or mean" in error and "--channel N" in error

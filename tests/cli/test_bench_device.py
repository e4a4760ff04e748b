# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
"""`meander bench device`: its table on any device; never its times."""

import json

import pytest


def devices(run):
    return [device["name"] for device in json.loads(run("devices", "--json").out)["result"]["devices"]]


def table(run, device, *more):
    return run("bench", "device", "--device", device, "--divisor", 16, "--runs", 1, *more)


def test_every_row_has_figures_or_a_reason(run):
    for device in devices(run):
        if device == "reference":
            continue
        report = table(run, device, "--json").json
        rows = report["result"]["rows"]
        assert len(rows) == 28 and report["device"]["name"] == device
        for row in rows:
            if "left_out" in row:
                assert device == "cpu" and row["left_out"] == "it computes in host memory"
                continue
            assert row["seconds"] > 0 and row["launches"] + row["transfers"] > 0, row
            assert ("over_cpu" in row) == (device != "cpu" and "load" not in row["work"])


def test_counts_are_those_of_a_second_call(run):
    # One thread: how many of several take part, each with a block of its own, differs from call to call.
    rows = table(run, "cpu", "--json", "--threads", 1).json["result"]["rows"]
    gaussians = [row for row in rows if row["work"].startswith("Gaussian")]
    assert len(gaussians) == 10 and all(row["allocations"] == 0 for row in gaussians)
    assert [row["launches"] for row in rows if row["work"].startswith("reduction")] == [1, 1]


def test_only_rows_of_a_name(run):
    rows = table(run, "cpu", "--rows", "prefix", "--json").json["result"]["rows"]
    assert [row["work"] for row in rows] == [f"prefix sums of u16 along {axis}, 256x256" for axis in "xy"]
    result = table(run, "cpu", "--rows", "nothing")
    assert result.code == 2 and "rows is 'nothing'" in result.err and len(result.err.splitlines()) == 1


def test_words_are_a_table_in_markdown(run):
    lines = table(run, "cpu").out.splitlines()
    rows = [line for line in lines if line.startswith("|")]
    assert len(rows) == 30 and rows[1] == "|---|---|---|---|---|---|---|---|---|---|---|"
    assert sum("left out: it computes in host memory" in row for row in rows) == 2


@pytest.mark.parametrize("more", [["--size", "64x64"], ["--plot", "a.svg"], ["--accuracy"], ["--divisor", "17"]])
def test_other_options_are_refused(run, more):
    result = run("bench", "device", *more)
    assert result.code == 2 and more[0][2:] in result.err and len(result.err.splitlines()) == 1

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
#
# python_tools.sh VENV: the test-only Python packages of tests/requirements.txt in a virtual environment.
# Does nothing when it is up to date.
set -euo pipefail
venv=$1
wanted=tests/requirements.txt
if ! cmp -s "$wanted" "$venv/installed.txt"; then
  echo "installing Python test tools into $venv"
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$wanted"
  cp "$wanted" "$venv/installed.txt"
fi

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
#
# python_tools.sh VENV [REQUIREMENTS]: Python packages in a virtual environment, those of
# tests/requirements.txt unless others are named. Does nothing when it is up to date.
set -euo pipefail
venv=$1
wanted=${2:-tests/requirements.txt}
if ! cmp -s "$wanted" "$venv/installed.txt"; then
  echo "installing the Python packages of $wanted into $venv"
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$wanted"
  cp "$wanted" "$venv/installed.txt"
fi

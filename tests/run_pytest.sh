#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
#
# run_pytest.sh VENV PATH: the Python tests of PATH with the tools of MEANDER_PYTHON or of VENV. Without
# them the tests are skipped (code 77) with the reason.
set -euo pipefail
python=${MEANDER_PYTHON:-$1/bin/python}
if ! "$python" -c 'import pytest, numpy' 2>/dev/null; then
  echo "SKIPPED: $python has no pytest and numpy; \`make test\` installs them from tests/requirements.txt"
  exit 77
fi
exec "$python" -m pytest -q -p no:cacheprovider "$2"

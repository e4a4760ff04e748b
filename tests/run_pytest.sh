#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
#
# run_pytest.sh VENV PATH PACKAGE...: the Python tests of PATH with the tools of MEANDER_PYTHON or of VENV.
# Without pytest and the packages the tests are skipped (code 77) with the reason.
set -euo pipefail
python=${MEANDER_PYTHON:-$1/bin/python}
tests=$2
shift 2
packages=$(printf ', %s' pytest "$@")
if ! reason=$("$python" -c "import ${packages:2}" 2>&1); then
  echo "SKIPPED: $python: $(tail -n 1 <<<"$reason"); \`make test\` installs tests/requirements.txt"
  exit 77
fi
exec "$python" -B -m pytest -q -p no:cacheprovider "$tests"

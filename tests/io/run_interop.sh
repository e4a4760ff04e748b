#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Meander authors
#
# run_interop.sh PYTHON BRIDGE: runs interop.py, or exits with 77 (skipped) and says why.
python=${MEANDER_PYTHON:-$1}
packages="cv2, imagecodecs, numpy, PIL, pytest, tifffile"
if ! reason=$("$python" -c "import $packages" 2>&1); then
  echo "skipped: $python cannot import $packages: $(echo "$reason" | tail -n 1)"
  exit 77
fi
export MEANDER_BRIDGE="$2"
exec "$python" -B -m pytest -q -p no:cacheprovider "$(dirname "$0")/interop.py"

# SPDX-License-Identifier: Zlib
"""Turns embedded images grey and saves them beside: images.py MAP OUT."""
import os
import sys

import numpy as np
import twmap

map = twmap.Map(sys.argv[1])
for i, image in enumerate(map.images):
    if image.is_external():
        print(image.name, image.width(), image.height())
        continue
    data = image.data
    grey = data[:, :, :3].mean(axis=2).astype(np.uint8)
    data[:, :, 0] = data[:, :, 1] = data[:, :, 2] = grey
    print(image.name, data.shape, int(image.data.astype(np.int64).sum()), int(data.astype(np.int64).sum()))
    image.data = data
made = map.images.new_from_data("made", np.arange(16 * 32 * 4, dtype=np.uint8).reshape(16, 32, 4))
print(made.width(), made.height(), len(map.images))
made.save(os.path.join(os.path.dirname(sys.argv[2]), "made.png"))
map.save(sys.argv[2])

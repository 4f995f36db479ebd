#!/usr/bin/env python3
"""Writes pictures of all kinds, and what Pillow reads in them.

  make_images.py FOLDER

NAME.png or NAME.jpg is the picture; NAME.whole and NAME.small are its pixels as Pillow gives them, whole and resized, each
after a line "HEIGHT WIDTH CHANNELS".
"""

import random
import sys
from pathlib import Path

try:
    from PIL import Image
except ImportError:
    sys.exit(77)

HEIGHT, WIDTH = 37, 52
SMALL = (20, 24)  # height, width


def picture(seed):
    """Smooth, so that JPEG keeps most of it, and of all colours."""
    noise = random.Random(seed)
    tiny = Image.frombytes("RGB", (7, 5), bytes(noise.randrange(256) for _ in range(7 * 5 * 3)))
    return tiny.resize((WIDTH, HEIGHT), Image.BICUBIC)


def write_pixels(path, image):
    image = image.convert("L") if image.mode in ("1", "L", "LA") else image.convert("RGB")
    channels = len(image.getbands())
    path.write_bytes(f"{image.height} {image.width} {channels}\n".encode() + image.tobytes())


def resized(image):
    """The largest box in the middle that has the new proportions."""
    image = image.convert("L") if image.mode in ("1", "L", "LA") else image.convert("RGB")
    height, width = SMALL
    scale = min(image.height / height, image.width / width)
    top, left = (image.height - height * scale) / 2, (image.width - width * scale) / 2
    box = (left, top, left + width * scale, top + height * scale)
    return image.resize((width, height), Image.BILINEAR, box=box)


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    color = picture(1)
    grey = color.convert("L")
    clear = color.convert("RGBA")
    clear.putalpha(grey)
    palette = color.convert("P", palette=Image.ADAPTIVE, colors=200)
    few = color.convert("P", palette=Image.ADAPTIVE, colors=4)
    pictures = {
        "bits.png": (color.convert("1"), {}),
        "grey.png": (grey, {}),
        "grey_alpha.png": (clear.convert("LA"), {}),
        "color.png": (color, {}),
        "color_alpha.png": (clear, {}),
        "palette.png": (palette, {}),
        "palette_clear.png": (palette, {"transparency": 3}),
        "palette_two_bits.png": (few, {"bits": 2}),
        "grey.jpg": (grey, {"quality": 90}),
        "color.jpg": (color, {"quality": 85}),
        "progressive.jpg": (color, {"quality": 60, "progressive": True}),
        "every_pixel.jpg": (color, {"quality": 95, "subsampling": 0}),
        "inks.jpg": (color.convert("CMYK"), {"quality": 90}),
    }
    for name, (image, options) in pictures.items():
        image.save(folder / name, **options)
        with Image.open(folder / name) as read:
            write_pixels(folder / (name + ".whole"), read)
            write_pixels(folder / (name + ".small"), resized(read))
    # Pillow cannot make 8 bits of 16 without cutting them off.
    values = [x * 65535 // (HEIGHT * WIDTH - 1) for x in range(HEIGHT * WIDTH)]
    deep = Image.frombytes("I;16", (WIDTH, HEIGHT), b"".join(v.to_bytes(2, "little") for v in values))
    deep.save(folder / "deep.png")
    flat = Image.frombytes("L", (WIDTH, HEIGHT), bytes((v * 255 + 32767) // 65535 for v in values))
    write_pixels(folder / "deep.png.whole", flat)
    write_pixels(folder / "deep.png.small", resized(flat))


if __name__ == "__main__":
    main(Path(sys.argv[1]))

"""The cover of songs, as mutagen reads their pictures: the front, otherwise the first. For each file its bytes in Base64."""

import base64
import json
import pathlib
import sys

import mutagen
import mutagen.flac

FRONT = 3


def of_song(path):
    song = mutagen.File(path)
    if path.suffix == ".mp3":
        return song.tags.getall("APIC")
    if path.suffix == ".flac":
        return song.pictures
    return [mutagen.flac.Picture(base64.b64decode(text)) for text in song["metadata_block_picture"]]


found = {}
for path in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    pictures = of_song(path)
    cover = next((one for one in pictures if one.type == FRONT), pictures[0])
    found[path.name] = base64.b64encode(cover.data).decode()
print(json.dumps(found))

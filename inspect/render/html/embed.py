# SPDX-License-Identifier: BSD-3-Clause
"""Makes the page one text and a C source of it: embed.py TEMPLATE STYLE SCRIPT OUTPUT.

Places for the command's data stay as <!--[name]-->. Style and script are allowed by their hashes, so that nothing else on
the page is ever run.
"""
import base64
import hashlib
import sys


def main():
    template, style, script = (open(path, encoding="ascii").read() for path in sys.argv[1:4])
    for name, text in (("style", style), ("script", script)):
        digest = hashlib.sha256(text.encode()).digest()
        template = template.replace("{" + name + "-hash}", base64.b64encode(digest).decode())
        template = template.replace("{" + name + "}", text)
    data = template.encode() + b"\0"
    with open(sys.argv[4], "w", encoding="ascii") as output:
        output.write(
            '/* Generated from inspect/render/html. */\n#include "render/html/render_html.h"\n\nconst char page_template[] = {\n'
        )
        for start in range(0, len(data), 24):
            output.write(",".join(map(str, data[start : start + 24])) + ",\n")
        output.write("};\n")


if __name__ == "__main__":
    main()

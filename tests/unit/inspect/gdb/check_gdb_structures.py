# SPDX-License-Identifier: BSD-3-Clause
"""The structs that the gdb scripts have in ctypes are those of the headers: names, types and order of the fields; and the numbers of
kinds and codes.

Arguments: the directory of mpilens_gdb, its headers.
"""
import importlib.util
import os
import re
import sys


def load(directory, name):
    """A module of mpilens_gdb that needs no gdb."""
    specification = importlib.util.spec_from_file_location(name, os.path.join(directory, 'mpilens_gdb', f'{name}.py'))
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def without_comments(path):
    with open(path, encoding='utf-8') as file:
        return re.sub(r'/\*.*?\*/', '', file.read(), flags=re.S)


def declared(text):
    """{name: [declaration]} of the structs that hold no functions."""
    found = {}
    for tag, body, name in re.findall(r'struct (\w+)? ?\{([^{}]*)\}\s*(\w*);', text):
        if '(' not in body and 'callbacks' not in name + tag:
            found[name or tag] = [' '.join(one.split()) for one in body.split(';') if one.strip()]
    return found


def main():
    directory, *headers = sys.argv[1:]
    structures = load(directory, 'structures')
    vocabulary = load(directory, 'vocabulary')
    text = ''.join(without_comments(one) for one in headers)
    structs = {name: fields for name, fields in declared(text).items() if name.startswith(('mqs_', 'mpilens_'))}
    wrong = []
    compared = 0
    for name, fields in structs.items():
        if not hasattr(structures, name):
            continue
        compared += 1
        expected = [structures._field(one) for one in fields]  # pylint: disable=protected-access
        known = list(getattr(structures, name)._fields_)
        # Of those with struct_size, the scripts may know fewer than the DLL.
        if known != (expected[:len(known)] if known[0][0] == 'struct_size' else expected):
            wrong.append(f'{name}: not as in the header')
    if compared < 25:
        wrong.append(f'only {compared} structs compared')
    enumeration = re.search(r'enum mpilens_object_kind \{(.*?)\}', text, flags=re.S)[1]
    kinds = [one.lower() for one in re.findall(r'MPILENS_OBJECT_([A-Z]+)\b', enumeration) if one != 'NONE']
    for number, name in enumerate(kinds, 1):
        if vocabulary.KINDS.get(name) != number:
            wrong.append(f'{name}: not kind {vocabulary.KINDS.get(name)}')
    if len(kinds) < 12:
        wrong.append(f'only {len(kinds)} kinds found')
    codes = re.findall(r'\bMPILENS_(ERROR_\w+)', re.search(r'enum mpilens_code \{(.*?)\}', text, flags=re.S)[1])
    for number, name in enumerate(codes, vocabulary.FIRST_USER_CODE):
        if getattr(vocabulary, name, None) != number:
            wrong.append(f'{name}: not code {number}')
    print(f'{compared} structs, {len(kinds)} kinds, {len(codes)} codes', *wrong, sep='\n')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())

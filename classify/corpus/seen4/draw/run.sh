#!/bin/sh
# draws all files again; run in this directory
for s in make scans fe ge more; do /usr/bin/python3 $s.py; done

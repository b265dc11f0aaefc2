#!/usr/bin/env bash
# Builds a static binary for Linux: bash deploy/release/build.sh ARCHITECTURE FILE
# The same commit, Go, C compiler and C library give the same bytes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

architecture=$1 file=$2
case $architecture in
amd64) compiler=x86_64-linux-gnu-gcc packages="gcc libc6-dev" ;;
arm64) compiler=aarch64-linux-gnu-gcc packages="gcc-aarch64-linux-gnu libc6-dev-arm64-cross" ;;
*) echo "there is no architecture $architecture: amd64 or arm64"; exit 2 ;;
esac
if ! command -v "$compiler" >/dev/null && [ "$(go env GOHOSTARCH)" = "$architecture" ]; then
	compiler=gcc
fi
if [ "$("$compiler" -print-file-name=libc.a 2>&1)" = libc.a ] || ! command -v "$compiler" >/dev/null; then
	echo "a static binary for $architecture needs $compiler with a static C library: apt-get install $packages"
	exit 1
fi

# Names, users and zones are looked up by Go: glibc would load libraries for them.
# SQLite loads none either. Debugging information would have the paths of this machine.
export CGO_ENABLED=1 GOOS=linux GOARCH=$architecture CC=$compiler GOFLAGS=-mod=readonly GOWORK=off
export CGO_CFLAGS="-O2 -g0 -ffile-prefix-map=$(go env GOMODCACHE)=/modules"
go build -buildvcs=auto -trimpath -tags netgo,osusergo,timetzdata,sqlite_omit_load_extension \
	-ldflags "-s -w -buildid= -linkmode external -extldflags '-static -Wl,--build-id=none'" \
	-o "$file" ./cmd/landfall

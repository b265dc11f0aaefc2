#!/usr/bin/env bash
# Builds the release of the commit that is checked out, for Linux on amd64 and arm64,
# and runs what it has built: make release. OUT is the directory, dist unless set.
#
# The commit that writes "## [X.Y.Z]" into CHANGELOG.md is the version vX.Y.Z; later ones
# have pseudo-versions, as Go has them. Everything is built twice, in two directories and
# without a cache of the first build, and must be the same.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

SBOM=github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0
out=$(realpath -m "${OUT:-dist}")
root=$PWD
commit=$(git rev-parse HEAD)
emulator=$(command -v qemu-aarch64-static || true)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# require ends the release if a program is missing.
require() {
	command -v "$1" >/dev/null || { echo "make release needs $1: apt-get install $2"; exit 1; }
}

# copy clones the commit into a directory, with the tag of the newest version in
# CHANGELOG.md. The clone has no file that is not in the commit.
copy() {
	git clone -q --no-tags --no-checkout "$root" "$1"
	git -C "$1" checkout -q --detach "$commit"
	local version cut tagged
	version=$(git -C "$1" show "$commit:CHANGELOG.md" | sed -n 's/^## \[\([0-9][0-9.]*\)\].*/\1/p' | head -n 1)
	[ -n "$version" ] || return 0
	cut=$(git -C "$1" log -1 --format=%H -S"## [$version]" "$commit" -- CHANGELOG.md)
	tagged=$(git rev-parse -q --verify "refs/tags/v$version^{commit}" || true)
	if [ "${tagged:-$cut}" != "$cut" ]; then
		echo "the tag v$version is at $tagged, but CHANGELOG.md has had this version since $cut"
		exit 1
	fi
	git -C "$1" tag "v$version" "$cut"
}

# stamped checks that a binary says its commit.
stamped() {
	go version -m "$out/landfall-linux-$1" | grep -q "vcs.revision=$commit" || { echo "the binary for $1 does not say its commit"; exit 1; }
}

# same builds an architecture again elsewhere and compares.
same() {
	local again=$scratch/again-$1 # outside of the clone, which would not be clean
	[ -d "$scratch/elsewhere" ] || copy "$scratch/elsewhere"
	GOCACHE=$scratch/cache bash "$scratch/elsewhere/deploy/release/build.sh" "$1" "$again"
	cmp "$out/landfall-linux-$1" "$again" || { echo "two builds of $commit for $1 differ"; exit 1; }
}

# components writes an SBOM in the form of CycloneDX: the Go modules, what is compiled and
# linked in from C, and PDFium, which is compiled to WebAssembly.
components() {
	local binary=$out/landfall-linux-$1 sqlite glibc pdfium
	sqlite=$(sed -n 's/^#define SQLITE_VERSION *"\(.*\)"/\1/p' "$(go list -m -f '{{.Dir}}' github.com/mattn/go-sqlite3)/sqlite3-binding.h")
	pdfium=$(sed -n 's/^Version: *//p' "$(go list -m -f '{{.Dir}}' github.com/klippa-app/go-pdfium)/.github/workflows/pdfium.pc")
	[ -n "$pdfium" ] || { echo "go-pdfium does not say its version of PDFium"; exit 1; }
	glibc=$(printf '#include <features.h>\n__GLIBC__.__GLIBC_MINOR__\n' | gcc -E -P - | tail -n 1 | tr -d ' ')
	GOFLAGS=-trimpath go run "$SBOM" bin -json -std -noserial -notimestamp "$binary" |
		jq --arg sqlite "$sqlite" --arg glibc "$glibc" --arg pdfium "$pdfium" '
			def part($name; $version; $vendor; $license): {
				"bom-ref": "pkg:generic/\($name)@\($version)", type: "library", name: $name, version: $version,
				cpe: "cpe:2.3:a:\($vendor):\($name):\($version):*:*:*:*:*:*:*", purl: "pkg:generic/\($name)@\($version)",
				licenses: [{expression: $license}]
			};
			.components += [part("sqlite"; $sqlite; "sqlite"; "blessing"), part("glibc"; $glibc; "gnu"; "LGPL-2.1-or-later"),
				part("pdfium"; $pdfium; "google"; "Apache-2.0 AND BSD-3-Clause")]' \
			>"$binary.cdx.json"
}

# licenses prints the licenses of the modules in a binary.
licenses() {
	local path version
	go version -m "$1" | awk '$1 == "dep" { print $2, $3 }' | while read -r path version; do
		printf -- '---- %s %s\n\n' "$path" "$version"
		find "$(go list -m -f '{{.Dir}}' "$path")" -maxdepth 1 -type f \( -iname 'licen[cs]e*' -o -iname 'copying*' -o -iname 'notice*' \) | sort | xargs -r -d '\n' cat
		printf '\n'
	done
	printf -- '---- PDFium\n\n'
	cat classify/extract/internal/pdftext/NOTICE
	printf -- '\n---- Sea lanes\n\n'
	cat internal/searoute/NOTICE
	printf -- '\n---- Go\n\n'
	cat "$(go env GOROOT)/LICENSE"
	printf '\n---- glibc\n\nThe GNU C Library is linked statically, under the LGPL 2.1 or later. With this\nrepository, make release links the program again with another version of it.\n'
}

# try runs a binary in a root directory without other files.
try() {
	(cd "$root" && LANDFALL_STATIC=$out/landfall-linux-$1 LANDFALL_EMULATOR=${2:-} \
		go test -count=1 -v -run='^(TestEmptyRoot|TestImage)$' ./cmd/landfall) | grep -v '^ *\(=== \|--- PASS\|PASS$\)'
}

require gcc "gcc libc6-dev"
require aarch64-linux-gnu-gcc "gcc-aarch64-linux-gnu libc6-dev-arm64-cross"
require qemu-aarch64-static qemu-user-static
require unshare util-linux
require jq jq
if [ "$(go env GOHOSTARCH)" != amd64 ]; then
	echo "make release runs on amd64 alone: bash deploy/release/build.sh builds here"
	exit 1
fi
if [ "$(git rev-parse --is-shallow-repository)" = true ]; then
	echo "make release needs the history, to find the version: git fetch --unshallow"
	exit 1
fi
[ -z "$(git status --porcelain)" ] || echo "changes that are not committed are not in the release"

rm -rf "$out"
mkdir -p "$out"
copy "$scratch/here"
cd "$scratch/here"
for architecture in amd64 arm64; do
	printf '== %s\n' "$architecture"
	bash deploy/release/build.sh "$architecture" "$out/landfall-linux-$architecture"
	stamped "$architecture"
	components "$architecture"
	same "$architecture"
done
licenses "$out/landfall-linux-amd64" >"$out/licenses.txt"
(cd "$out" && sha256sum -- * >"$scratch/sums" && mv "$scratch/sums" SHA256SUMS && cat SHA256SUMS)
mkdir "$out/data" # of the image: deploy/docker/Dockerfile
try amd64
try arm64 "$emulator"

package extract

import (
	"os"
	"path/filepath"
)

// cacheDirectory makes the directory for compiled code in another one, or in the user's cache
// if that is "". It returns "" if there is none to be trusted: who writes to it could have
// the children execute anything.
func cacheDirectory(in string) string {
	if in == "" {
		var err error
		if in, err = os.UserCacheDir(); err != nil {
			return ""
		}
	}
	dir, err := filepath.Abs(filepath.Join(in, "landfall-pdfium"))
	if err != nil {
		return ""
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return ""
	}
	const othersWrite = 0o022
	if info, err := os.Lstat(dir); err != nil || !info.IsDir() || info.Mode()&othersWrite != 0 {
		return ""
	}
	return dir
}

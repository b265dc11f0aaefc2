package hostile_test

import (
	"fmt"

	"github.com/landfallhq/tracking/classify/extract/hostile"
)

func Example() {
	for _, f := range hostile.Files()[:3] {
		fmt.Println(f.Name, len(f.Make()), "bytes")
	}
	// Output:
	// empty.pdf 0 bytes
	// header-alone.pdf 9 bytes
	// half.pdf 279 bytes
}

package heldout_test

import (
	"fmt"

	"github.com/landfallhq/tracking/classify/corpus/heldout"
)

func Example() {
	documents, err := heldout.Documents()
	fmt.Println(len(documents), documents[0].Type, err)
	// Output: 65 bill_of_lading <nil>
}

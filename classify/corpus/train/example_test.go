package train_test

import (
	"fmt"

	"github.com/landfallhq/tracking/classify/corpus/train"
)

func Example() {
	documents, err := train.Documents()
	fmt.Println(len(documents), documents[0].Name, documents[0].Type, err)
	// Output: 123 train-bl-liner-01 bill_of_lading <nil>
}

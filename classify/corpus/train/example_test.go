package train_test

import (
	"fmt"

	"github.com/landfallhq/tracking/classify/corpus/train"
)

func Example() {
	documents, err := train.Documents("do-boxes") // all layouts, when none is named
	fmt.Println(len(documents), documents[0].Name, documents[0].Type, err)
	// Output: 5 train-do-boxes-01 delivery_order <nil>
}

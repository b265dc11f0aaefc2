package main

import (
	"context"
	"fmt"
	"os"

	"github.com/landfallhq/tracking/client"
	"github.com/landfallhq/tracking/source/sandbox"
)

func Example() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	url, key, err := serve(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := client.New(client.Config{URL: url, Key: key})
	if err == nil {
		err = run(ctx, os.Stdout, c, sandbox.SCAC, "TEST-VOYAGE-SIMPLE-60")
	}
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// TEST-VOYAGE-SIMPLE-60 goes from Santos to Algeciras
	// TSTU4377650
	//   BRSSZ container.transport.vessel_departed
	//   BRSSZ container.transport.vessel_loaded
	//   BRSSZ container.transport.full_in
	//   BRSSZ container.transport.empty_out
	// PO-7781 is on TEST-VOYAGE-SIMPLE-60
	// invoice.txt: 45 bytes of text/plain
}

package catalog_test

import (
	"fmt"
	"time"

	"github.com/landfallhq/tracking/dashboard/catalog"
)

func Example() {
	texts, err := catalog.Read("en")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(texts["event.container.transport.vessel_arrived"])
	fmt.Println(catalog.ZoneLabel(time.Date(2026, 11, 28, 12, 0, 0, 0, time.FixedZone("", -(3*60+30)*60))))
	// Output:
	// Vessel arrived
	// UTC−3:30
}

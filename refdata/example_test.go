package refdata_test

import (
	"fmt"

	"github.com/landfallhq/tracking/refdata"
)

func Example() {
	// CNSGH is an alias that some sources use for Shanghai.
	port, _ := refdata.PortByCode("CNSGH")
	fmt.Println(port.Code, port.Name, port.Zone)

	line, _ := refdata.LineByPrefix("MEDUA1234567")
	fmt.Println(line.SCAC, line.Name)

	valid, digit := refdata.CheckDigit("MSCU1234567")
	fmt.Println(valid, digit)

	length, height, equipment, _ := refdata.ParseISOType("45G1")
	fmt.Println(length, height, equipment)
	// Output:
	// CNSHA Shanghai Asia/Shanghai
	// MSCU Mediterranean Shipping Company
	// false 6
	// 40 high_cube dry
}

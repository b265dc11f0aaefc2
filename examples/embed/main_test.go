package main

func Example() {
	main()
	// Output:
	// TEST-VOYAGE-SIMPLE-60 goes from Santos to Algeciras
	// BRSSZ container.transport.vessel_departed
	// BRSSZ container.transport.vessel_loaded
	// BRSSZ container.transport.full_in
	// BRSSZ container.transport.empty_out
}

package main

func Example() {
	main()
	// Output:
	// ZIMUSHA4711 is created
	// ZIMUSHA4712 is awaiting_manifest
	// 2026-03-21 USLGB container.transport.vessel_discharged
	// 2026-03-20 USLGB container.transport.vessel_arrived
	// 2026-03-04 CNSHA container.transport.vessel_departed
	// 2026-03-03 CNSHA container.transport.vessel_loaded
}

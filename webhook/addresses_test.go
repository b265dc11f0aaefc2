package webhook_test

const childVariable = "LANDFALL_WEBHOOK_CHILD"

func child(which string) int { return 2 }

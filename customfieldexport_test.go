package tracking

import (
	"encoding/json"
	"math/rand/v2"
)

// DrawFieldValue draws a value that every definition of the type without rules
// takes, and how a filter spells it. Options are low, high and "a,b"; references
// are to be made by the caller.
func DrawFieldValue(rng *rand.Rand, typ DataType) (raw json.RawMessage, text string) {
	v := drawValue(rng, typ)
	return json.RawMessage(v.raw), v.text
}

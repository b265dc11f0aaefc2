package password

// Occupy takes a slot, as a hash that is being made; Free gives it back.
func (h *Hasher) Occupy() { h.slots <- struct{}{} }
func (h *Hasher) Free()   { <-h.slots }

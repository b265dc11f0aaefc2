package tracking

// detect names the line of a request by the prefix of its number. Where that
// does not settle the request, it takes its place among those for the line: one
// that hangs must not hold up the detection of others.
func (t *Tracker) detect(tx *Tx, j Job, r *TrackingRequest) error {
	line, ok := t.lineByPrefix(foldNumber(r.RequestNumber))
	if !ok || r.RequestType == ContainerNumber { // a box's prefix names its owner, not the carrier
		return t.fail(tx, j, r, SCACAutoDetectFailed)
	}
	r.SCAC = line.SCAC
	other, err := duplicateOf(tx, r)
	if err != nil {
		return err
	}
	if other != nil {
		return t.fail(tx, j, r, DuplicateRequest)
	}
	s, err := shipmentFor(tx, r)
	if err != nil {
		return err
	}
	if s == nil {
		return t.again(tx, j, r, tx.Now)
	}
	if err := succeedWith(tx, r, s); err != nil {
		return err
	}
	return tx.records.Finish(tx, j)
}

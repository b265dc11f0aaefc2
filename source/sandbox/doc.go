// Package sandbox is an invented shipping line, whose shipments are scripts on a fast
// clock. It is for demonstrations, for the first steps of an integrator, and for
// tests.
//
//	sources := tracking.Sources{sandbox.SCAC: sandbox.New(sandbox.Config{})}
//
// Answers are a pure function of the query: the same number, Since, Now and Poll give
// the same facts, in every process and version. The source stores nothing, reads no
// clock and opens no connection.
//
// # Numbers
//
// Numbers of tracking requests; the reasons are those of failed_reason:
//
//	TEST-TR-SUCCEEDED   found at once: a booked shipment with one container and no milestones
//	TEST-TR-FAILED      invalid_number: the request fails at once
//	TEST-TR-AWAITING    not_found in the first three polls, then like SUCCEEDED
//	TEST-TR-RETRY       shipping_line_unreachable in the first two polls, then like SUCCEEDED
//	TEST-TR-EXHAUSTED   shipping_line_unreachable, always
//	TEST-TR-INVALID     invalid_number
//	TEST-TR-CANCELLED   booking_cancelled
//	TEST-TR-PRIVATE     data_unavailable
//	TEST-TR-DUPLICATE   duplicate
//
// Voyages, each from booking to empty return:
//
//	TEST-VOYAGE-SIMPLE      one container, one ship
//	TEST-VOYAGE-TRANSSHIP   changes ships in a transshipment port
//	TEST-VOYAGE-FEEDER      a feeder to the port of the ocean ship; the port of lading is the
//	                        feeder's, as on a through bill of lading
//	TEST-VOYAGE-RAIL        by rail to an inland destination, with an ETA there
//	TEST-VOYAGE-HOLDS       the terminal reports changing holds, growing fees, a moving last free
//	                        day, and in the end that the container is available
//	TEST-VOYAGE-ETA-CHANGE  rolled to another ship before departure; the ETA changes four times
//	TEST-VOYAGE-MULTI       three containers at slightly different times, one with a proof of delivery
//
// Voyages that have no end, because something is wrong, or a ship is at sea:
//
//	TEST-VOYAGE-UNCLAIMED      available at the port of discharge, and not fetched eight days after
//	                           the last free day
//	TEST-VOYAGE-SHORT-SHIPPED  the ship has sailed with two of three containers; the third waits for
//	                           the next one
//	TEST-VOYAGE-ROLLED         left behind by its ship, and planned on the one of a week later
//	TEST-VOYAGE-OVERDUE        the line says nothing of an arrival that it expected six days ago
//	TEST-VOYAGE-AT-SEA         at sea, with an ETA that is to come, on the lane of [Source.History]
//
// A voyage can have a suffix from -00 to -99, as in TEST-VOYAGE-RAIL-35. Each suffix
// is a separate shipment, with its own route, ships, containers and references, and
// with a head start of that many per cent: the shipment is under way when tracking
// begins. [Source.Fleet] returns a set of them for a demonstration.
//
// Any other number is not_found. Letter case and surrounding blanks do not matter,
// nor does the type of number: it is taken as a booking number if it was requested as
// one, otherwise as a bill of lading.
//
// # Time
//
// A voyage takes Config.Length from Since, less its head start. What happened before tracking
// began has dates of a real voyage of some weeks, up to Since. What follows happens when it
// becomes visible, so no actual event is in the future: weeks take minutes, and ships come long
// before their ETAs. Estimates and last free days are those of a real voyage, counted from the
// moment at which they are reported. Facts are recorded (Fact.RecordedAt) when they become
// visible; those of the head start when they happened.
//
// A voyage without an end has reported its last fact after 80 per cent of Config.Length. All of
// its events are before Since, also those that become visible later, and the time since the last
// one is counted from Since.
//
// Estimates change only when they are issued again, as a later version of the same fact. Every
// answer has all facts so far, with every version of the estimates, so it begins with the
// previous answer.
package sandbox

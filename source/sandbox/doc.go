// Package sandbox is a shipping line that does not exist: its shipments are
// scripts that play on an accelerated clock. It serves demonstrations, the first
// steps of an integrator, and tests.
//
//	sources := tracking.Sources{sandbox.SCAC: sandbox.New(sandbox.Config{})}
//
// Answers are a pure function of the question: the same number, Since, Now and
// Poll give the same facts, in every process and for ever. The source keeps
// nothing, reads no clock and opens no connection.
//
// # Numbers
//
// Requests that do not get as far as a voyage; the reasons are failed_reason:
//
//	TEST-TR-SUCCEEDED   found at once: a booked shipment with one container, no milestones
//	TEST-TR-FAILED      invalid_number: the request fails at once
//	TEST-TR-AWAITING    not_found at the first three polls, then as SUCCEEDED
//	TEST-TR-RETRY       shipping_line_unreachable at the first two polls, then as SUCCEEDED
//	TEST-TR-EXHAUSTED   shipping_line_unreachable, always
//	TEST-TR-INVALID     invalid_number
//	TEST-TR-CANCELLED   booking_cancelled
//	TEST-TR-PRIVATE     data_unavailable
//	TEST-TR-DUPLICATE   duplicate
//
// Voyages, each from the booking to the empty container's return:
//
//	TEST-VOYAGE-SIMPLE      one container, one ship
//	TEST-VOYAGE-TRANSSHIP   changes ships in a port on the way
//	TEST-VOYAGE-FEEDER      a feeder takes it to the port where the ocean ship calls;
//	                        the port of lading is the feeder's, as on a through bill of lading
//	TEST-VOYAGE-RAIL        goes on by rail to an inland destination, with an ETA there
//	TEST-VOYAGE-HOLDS       the terminal reports holds that come and go, fees that grow, a last
//	                        free day that moves, and at last that the container is available
//	TEST-VOYAGE-ETA-CHANGE  rolled to another ship before departure; the ETA changes four times
//	TEST-VOYAGE-MULTI       three containers at slightly different times, one with a proof of delivery
//
// A voyage may carry a suffix from -00 to -99, as in TEST-VOYAGE-RAIL-35. Each is
// a shipment of its own, with its own lane, ships, containers and references,
// and with a head start of that many per cent: the shipment is under way when
// tracking begins. [Source.Fleet] gives a set of them for a demonstration.
//
// Any other number is not_found. Letter case and blanks around a number do not
// matter, nor does the type of number that the request was made with: the
// number is the booking's if it was asked for as one, else the bill of lading's.
//
// # Time
//
// A voyage takes Config.Length from Since, less its head start. What happens on
// the way is dated as in the real world, where it takes weeks: the last event
// falls on Since and the others on the weeks before it, so that no actual event
// ever lies in the future. Facts are recorded (Fact.RecordedAt) when they become
// visible; those of the head start when they happened. Estimates and last free
// days are dated in the same weeks, so that they go with the events they
// foretell: a ship that is still at sea may be expected on a day of last week.
// They do not move until they are issued anew, as a later version of the same
// fact. Every answer holds all facts so far, every version of the estimates
// included, so an answer begins with the answer before it.
package sandbox

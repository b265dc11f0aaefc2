package httpserver

import "github.com/landfallhq/tracking"

func partyQuery(*filters) tracking.Query { return tracking.PartyQuery{} }

func partyID(p *tracking.Party) tracking.ID { return p.ID }

func newParty(in *input) tracking.NewParty {
	in.TypeIfSet("party")
	return tracking.NewParty{CompanyName: in.String("company_name").Value, Once: in.once}
}

func partyUpdate(in *input) tracking.PartyUpdate {
	in.TypeIfSet("party")
	return tracking.PartyUpdate{CompanyName: opt(in.String("company_name")), IfVersion: in.ifVersion}
}

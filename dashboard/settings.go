package dashboard

import (
	"net/http"
	"slices"
	"strings"

	"github.com/landfallhq/tracking"
)

func settingsRoutes() []route {
	return slices.Concat([]route{{pattern: "GET /settings", permission: tracking.Show, serve: showSettings}}, webhookRoutes(), deliveryRoutes(), userRoutes(), keyRoutes(), definitionRoutes(), tariffRoutes(), carrierRoutes(), thresholdRoutes(), shareLinkRoutes(), mailRoutes(), auditRoutes())
}

// settingsPage has a link to each part of the settings.
type settingsPage struct{ Parts []settingsPart }

// settingsPart is a part of the settings: Name is the key of its texts.
type settingsPart struct{ Name, Href string }

// settingsParts are the parts, with the permission that each needs.
var settingsParts = []struct {
	name, path string
	permission tracking.Permission
}{
	{"webhooks", webhooksPath, tracking.Show},
	{"deliveries", deliveriesPath, tracking.Show},
	{"custom-fields", definitionsPath, tracking.Show},
	{"tariffs", tariffsPath, tracking.Show},
	{"carriers", carriersPath, tracking.Show},
	{"thresholds", thresholdsPath, tracking.Show},
	{"share-links", shareLinksPath, tracking.Show},
	{"users", usersPath, tracking.Admin},
	{"keys", keysPath, tracking.Admin},
	{"audit", auditPath, tracking.Admin},
}

func showSettings(req *request) error {
	var p settingsPage
	for _, part := range settingsParts {
		if req.can(part.permission) {
			p.Parts = append(p.Parts, settingsPart{part.name, req.link(part.path)})
		}
	}
	if req.isUser() {
		p.Parts = append(p.Parts, settingsPart{"mail", req.link(mailPath)}, settingsPart{"password", req.link(passwordPath)})
	}
	if req.OpenAPI != nil {
		p.Parts = append(p.Parts, settingsPart{"reference", req.link("/docs")})
	}
	return req.render(http.StatusOK, "settings", req.texts.get("settings.title"), p)
}

// settingsList is a list of records of one kind.
type settingsList struct {
	Crumbs     []crumb
	Lead, None string
	Table      table
	// New leads to the form for another one, which NewAs names; empty for those who may not
	// make one.
	New, NewAs string
}

// sortOptions sorts options by their labels.
func sortOptions(list []option) {
	slices.SortFunc(list, func(a, b option) int { return strings.Compare(strings.ToLower(a.Label), strings.ToLower(b.Label)) })
}

// settingsCrumbs are the links of a page to those above it.
func (req *request) settingsCrumbs(pairs ...string) []crumb {
	return req.crumbs(append([]string{"/settings", req.texts.get("settings.title")}, pairs...)...)
}

// question asks before something is done that cannot be undone. The texts of the key are its
// title, what will happen and its button.
func (req *request) question(key, action, back string, crumbs []crumb, args ...any) error {
	f := req.newForm(action, key+".button", req.link(back))
	f.Danger = true
	return req.renderForm(req.texts.get(key+".title"), formPage{Crumbs: crumbs, Lead: req.texts.get(key+".lead", args...), Form: f})
}

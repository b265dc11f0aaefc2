package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"time"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase"
	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/types"
)

// PocketBase is run as a program of its own with the settings that it comes with: the
// collector of Go as it is by itself, the log of requests on, and synchronous=NORMAL, so
// that the last writes are lost when the power fails. Its records have the attributes of
// ours; a shipment refers to its containers, and ports and terminals are left out.

// pocketBaseConfig is the configuration of its process.
type pocketBaseConfig struct {
	From source
	Dir  string
}

// The collections.
const (
	pocketShipments  = "shipments"
	pocketContainers = "containers"
)

// pocketBaseMain is the process of PocketBase. It reports its address.
func pocketBaseMain(ctx context.Context, p *parent) error {
	var c pocketBaseConfig
	if err := p.hear(&c); err != nil {
		return err
	}
	app := pocketbase.NewWithConfig(pocketbase.Config{HideStartBanner: true, DefaultDataDir: c.Dir})
	if err := app.Bootstrap(); err != nil {
		return err
	}
	if err := app.RunAllMigrations(); err != nil {
		return err
	}
	if err := fillPocketBase(ctx, app, c.From); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	app.OnServe().BindFunc(func(e *core.ServeEvent) error {
		e.Listener, e.InstallerFunc = listener, nil // nobody is asked for a first user
		return e.Next()
	})
	ended := make(chan error, 1)
	go func() { ended <- apis.Serve(app, apis.ServeConfig{HttpAddr: listener.Addr().String()}) }()
	if err := p.say(listener.Addr().String()); err != nil {
		return err
	}
	go func() {
		p.wait()
		ended <- nil
	}()
	return <-ended
}

// pocketID is the ID of a record there: 15 characters, of the end of ours, which is random.
func pocketID(id string) string {
	plain := strings.ReplaceAll(id, "-", "")
	return plain[len(plain)-15:]
}

// pocketColumn is a field of a collection, and where its values stand in a row.
type pocketColumn struct {
	name  string
	place int
}

// pocketColumns are those of the attributes of a record, without IDs.
func pocketColumns(r record) (all []pocketColumn) {
	for i, name := range columns(r) {
		switch name {
		case "seq", "id", "shipment":
		default:
			all = append(all, pocketColumn{name, i})
		}
	}
	return all
}

// pocketField is the field for values of a type.
func pocketField(name string, pointer any) core.Field {
	t := reflect.TypeOf(pointer).Elem()
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Int, reflect.Float64:
		return &core.NumberField{Name: name}
	case reflect.Bool:
		return &core.BoolField{Name: name}
	case reflect.Slice:
		return &core.JSONField{Name: name}
	}
	return &core.TextField{Name: name}
}

// newCollection makes a collection that everybody may read, and change.
func newCollection(name string, of record) *core.Collection {
	c := core.NewBaseCollection(name)
	c.ListRule, c.ViewRule, c.UpdateRule = types.Pointer(""), types.Pointer(""), types.Pointer("")
	fields := of.fields()
	for _, column := range pocketColumns(of) {
		c.Fields.Add(pocketField(column.name, fields[column.place]))
	}
	c.Fields.Add(&core.AutodateField{Name: "created", OnCreate: true}, &core.AutodateField{Name: "updated", OnCreate: true, OnUpdate: true})
	return c
}

func fillPocketBase(ctx context.Context, app core.App, from source) error {
	boxes := newCollection(pocketContainers, &containerRow{})
	if err := app.Save(boxes); err != nil {
		return err
	}
	shipments := newCollection(pocketShipments, &shipmentRow{})
	shipments.Fields.Add(&core.RelationField{Name: "containers", CollectionId: boxes.Id, MaxSelect: 99})
	shipments.AddIndex("shipment_account", false, "account, created", "")
	shipments.AddIndex("shipment_carrier", false, "account, shipping_line_scac, created", "")
	if err := app.Save(shipments); err != nil {
		return err
	}
	epoch := time.Now().UTC().AddDate(0, -1, 0)
	return app.RunInTransaction(func(tx core.App) error {
		return from.each(ctx, func(all []record) error { return putInPocketBase(tx, all, epoch) })
	})
}

// putInPocketBase writes rows as PocketBase would, but without its checks, which would take
// minutes.
func putInPocketBase(tx core.App, all []record, epoch time.Time) error {
	of := map[string][]string{}
	for _, r := range all {
		if c, ok := r.(*containerRow); ok {
			of[c.Shipment] = append(of[c.Shipment], pocketID(c.ID))
		}
	}
	for _, r := range all {
		var table, id string
		row := dbx.Params{}
		made := epoch
		switch r := r.(type) {
		case *shipmentRow:
			table, id, made = pocketShipments, r.ID, epoch.Add(time.Duration(r.Seq)*time.Millisecond)
			list, err := json.Marshal(append([]string{}, of[r.ID]...))
			if err != nil {
				return err
			}
			row["containers"] = string(list)
		case *containerRow:
			table, id = pocketContainers, r.ID
		default:
			continue
		}
		given := values(r)
		for _, column := range pocketColumns(r) {
			row[column.name] = pocketValue(given[column.place])
		}
		row["id"], row["created"], row["updated"] = pocketID(id), pocketTime(made), pocketTime(made)
		if _, err := tx.DB().Insert(table, row).Execute(); err != nil {
			return fmt.Errorf("%s: %w", table, err)
		}
	}
	return nil
}

func pocketTime(t time.Time) string { return t.Format(types.DefaultDateLayout) }

// pocketValue is a value as PocketBase stores it, which has no null.
func pocketValue(v any) any {
	switch v := v.(type) {
	case []byte:
		return string(v)
	case *string:
		return textOf(v)
	case *int:
		if v == nil {
			return 0
		}
		return *v
	case *float64:
		if v == nil {
			return 0
		}
		return *v
	}
	return v
}

const pocketPatch = "PocketBase, PATCH, not power-safe"

// startPocketBase starts PocketBase.
func (r *run) startPocketBase(ctx context.Context) error {
	var addr string
	c, err := r.startServer(ctx, rolePocketBase, pocketBaseConfig{r.from, r.file("pocketbase")}, &addr)
	if err != nil {
		return err
	}
	cpu := func() time.Duration { return cpuOf(c.pid()) }
	all := fmt.Sprintf("account='%d'", ourAccount)
	of := all + "&&shipping_line_scac='" + carrier + "'"
	for _, total := range []struct{ name, more string }{{"PocketBase, skipTotal", "&skipTotal=1"}, {"PocketBase, total", ""}} {
		get := func(page int, filter string) requests {
			path := fmt.Sprintf("%s?page=%d&perPage=%d&sort=-created&expand=containers&filter=%s%s", pocketPath(pocketShipments), page, pageSize, url.QueryEscape(filter), total.more)
			return one(wire(http.MethodGet, addr, path, "", ""))
		}
		r.page.add(total.name, addr, cpu, get(1, all))
		r.deep.add(total.name, addr, cpu, get(r.deepPage(), all))
		r.filtered.add(total.name, addr, cpu, get(1, of))
	}
	r.single.add("PocketBase", addr, cpu, r.eachShipment(func(id string) []byte {
		return wire(http.MethodGet, addr, pocketPath(pocketShipments)+"/"+pocketID(id), "", "")
	}))
	r.writes(pocketPatch, addr, cpu, func(b box, m movement) ([]byte, error) {
		text, err := json.Marshal(map[string]any{"location_at_pod_terminal": m.Yard})
		return wire(http.MethodPatch, addr, pocketPath(pocketContainers)+"/"+pocketID(b.id), "", string(text)), err
	})
	return nil
}

func pocketPath(collection string) string { return "/api/collections/" + collection + "/records" }

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// fill reads a JSON value into v as encoding/json does, but refuses members that
// v does not have or that stand there twice, and says by its path what is wrong.
func fill(text json.RawMessage, path string, v reflect.Value) error {
	if _, own := v.Addr().Interface().(json.Unmarshaler); own {
		return fillScalar(text, path, v)
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return fill(text, path, v.Elem())
	case reflect.Struct:
		return eachMember(text, path, func(name string, value json.RawMessage) error {
			field := fieldNamed(v, name)
			if !field.IsValid() {
				return fmt.Errorf("%s: there is no such setting", below(path, name))
			}
			return fill(value, below(path, name), field)
		})
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		return eachMember(text, path, func(name string, value json.RawMessage) error {
			element := reflect.New(v.Type().Elem()).Elem()
			err := fill(value, below(path, name), element)
			v.SetMapIndex(reflect.ValueOf(name), element)
			return err
		})
	case reflect.Slice:
		var elements []json.RawMessage
		if err := json.Unmarshal(text, &elements); err != nil || elements == nil {
			return fmt.Errorf("%s must be an array", path)
		}
		v.Set(reflect.MakeSlice(v.Type(), len(elements), len(elements)))
		for i, element := range elements {
			if err := fill(element, fmt.Sprintf("%s[%d]", path, i), v.Index(i)); err != nil {
				return err
			}
		}
		return nil
	}
	return fillScalar(text, path, v)
}

// fillScalar reads what has no members: a text, a number, true or false, and
// what reads itself.
func fillScalar(text json.RawMessage, path string, v reflect.Value) error {
	err := json.Unmarshal(text, v.Addr().Interface())
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong), err == nil && string(text) == "null":
		return fmt.Errorf("%s must be %s", path, scalarNames[v.Kind()])
	case err != nil:
		return fmt.Errorf("%s %w", path, err)
	}
	return nil
}

// scalarNames are the kinds of settings in the words of people.
var scalarNames = map[reflect.Kind]string{
	reflect.String: "a string", reflect.Bool: "true or false", reflect.Int: "a whole number", reflect.Float64: "a number",
}

// eachMember does something with the members of an object, in their order.
func eachMember(text json.RawMessage, path string, do func(name string, value json.RawMessage) error) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return fmt.Errorf("%s must be an object", path)
	}
	var seen []string
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return err
		}
		name := token.(string)
		if slices.Contains(seen, name) {
			return fmt.Errorf("%s stands there twice", below(path, name))
		}
		seen = append(seen, name)
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		if err := do(name, value); err != nil {
			return err
		}
	}
	return nil
}

// fieldNamed is the field of a struct with that name in its tag.
func fieldNamed(v reflect.Value, name string) reflect.Value {
	for i := range v.NumField() {
		if tag, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ","); tag == name && tag != "" {
			return v.Field(i)
		}
	}
	return reflect.Value{}
}

func below(path, name string) string { return path + "." + name }

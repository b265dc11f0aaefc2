package main

import (
	"fmt"
	"testing"
	"time"
)

// officeTime is how long the ten tasks may take together.
const officeTime = 15 * time.Minute

// officeTask is one of the tasks of docs/dashboard/tasks.md.
type officeTask struct {
	name string
	// history adds what the task begins with; nil for nothing.
	history func(o *office)
	// do does the task, and later what comes on another day; nil for nothing. Those of all
	// tasks come after all tasks.
	do, later func(t *testing.T, o *office)
}

// officeTasks are the tasks by office; what comes later stands in the order of its time. The sheet is tracked in one of its own, for its shipments have
// the buyer of the view and arrive in its week.
func officeTasks() [][]officeTask {
	return [][]officeTask{
		{costsTomorrow, slippedETA, changedField, failedDeliveries, correctedPaper, keptView, rolledContainer, sharedShipment, stoppedList},
		{trackedSheet},
	}
}

// TestTasks does the tasks that the dashboard is judged by in Chromium, each in at most six
// activations from Today.
func TestTasks(t *testing.T) {
	for n, tasks := range officeTasks() {
		t.Run(fmt.Sprint("office ", n+1), func(t *testing.T) { doTasks(t, tasks) })
	}
}

func doTasks(t *testing.T, tasks []officeTask) {
	o := newOffice(t, tasks)
	for _, task := range tasks {
		t.Run(task.name, func(t *testing.T) { task.do(t, o) })
	}
	for _, task := range tasks {
		if task.later != nil {
			t.Run(task.name+", later", func(t *testing.T) { task.later(t, o) })
		}
	}
}

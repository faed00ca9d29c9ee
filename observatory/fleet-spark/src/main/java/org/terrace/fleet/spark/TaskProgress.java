package org.terrace.fleet.spark;

import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/**
 * Tells on standard error how far a job is: a line for every twentieth part of its tasks, and one
 * for each process that was lost. Spark calls it from one thread.
 */
final class TaskProgress extends SparkListener {
  private static final int LINES = 20;

  private int expected = 1;
  private int ended;
  private int told;

  /** Takes the number of tasks: one for each server of a trial, and one for each trial. */
  synchronized void expect(int servers, int trials) {
    expected = servers + trials;
  }

  @Override
  public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
    if (end.reason() instanceof org.apache.spark.Success$) {
      ended++;
      // What a lost process had done is done again.
      expected = Math.max(expected, ended);
      int due = (int) ((long) ended * LINES / expected);
      if (due > told || ended == 1) {
        told = due;
        System.err.println("terrace: " + ended + " of " + expected + " tasks ended");
      }
    }
  }

  @Override
  public void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
    System.err.println(
        "terrace: executor " + removed.executorId() + " was lost: " + removed.reason());
  }
}

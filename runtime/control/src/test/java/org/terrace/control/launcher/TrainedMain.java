package org.terrace.control.launcher;

import java.util.concurrent.CountDownLatch;

/** Starts as a replica does, and ends only when it is trained, or killed. */
public final class TrainedMain {
  private TrainedMain() {}

  public static void main(String[] arguments) throws InterruptedException {
    System.out.println(arguments[0] + (Training.isOn() ? " trains" : " is ready"));
    if (Training.isOn()) {
      Training.end();
    }
    new CountDownLatch(1).await();
  }
}

package org.terrace.nodes.monitor;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** A program that makes garbage until it is killed, and says when it has been collected. */
final class GarbageMaker {
  private GarbageMaker() {}

  public static void main(String[] arguments) {
    Deque<byte[]> kept = new ArrayDeque<>(List.of(new byte[1]));
    System.gc();
    System.out.println("ready");
    while (!kept.isEmpty()) {
      kept.addLast(new byte[16 << 10]);
      if (kept.size() > 100) {
        kept.removeFirst();
      }
    }
  }
}

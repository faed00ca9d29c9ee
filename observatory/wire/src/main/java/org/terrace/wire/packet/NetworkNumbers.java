package org.terrace.wire.packet;

/**
 * The numbers that the tunnels of one packet have for the networks they carry, the outermost first:
 * together they are the network within which the packet's addresses count. Reused for all packets;
 * confined to one thread.
 */
final class NetworkNumbers {
  private final String[] words;
  private final long[] numbers;
  private int count;
  private int mixed;

  /** Room for the numbers of so many tunnels. */
  NetworkNumbers(int countMax) {
    words = new String[countMax];
    numbers = new long[countMax];
  }

  void clear() {
    count = 0;
    mixed = 0;
  }

  int count() {
    return count;
  }

  /** All of them as one number; zero without any. */
  int mixed() {
    return mixed;
  }

  /** Adds the number of a tunnel within the others, which there must be room for. */
  void add(String word, long number) {
    words[count] = word;
    numbers[count] = number;
    count++;
    mixed = (mixed * 31 + word.hashCode() * 31 + Long.hashCode(number)) * 0x9E37_79B9;
    mixed = mixed == 0 ? 1 : mixed;
  }

  /** Leaves out one of them, which is no network's. */
  void leaveOut(int index) {
    int before = count;
    clear();
    for (int i = 0; i < before; i++) {
      if (i != index) {
        add(words[i], numbers[i]);
      }
    }
  }

  /** Their name, such as {@code vxlan42}; empty without any. */
  String name() {
    StringBuilder name = new StringBuilder();
    for (int i = 0; i < count; i++) {
      name.append(i == 0 ? "" : ".").append(words[i]).append(numbers[i]);
    }
    return name.toString();
  }
}

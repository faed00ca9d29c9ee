package org.terrace.capture;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * A classic BPF program: instructions of eight bytes that the kernel checks and runs on each packet
 * and whose result is the number of bytes to keep, 0 for none. Immutable.
 *
 * <p>Source: Steven McCanne and Van Jacobson, "The BSD Packet Filter", USENIX Winter 1993.
 *
 * @param instructions at most {@value #MAXIMUM_INSTRUCTIONS}, the kernel's own limit
 */
record FilterProgram(List<Instruction> instructions) {
  static final int MAXIMUM_INSTRUCTIONS = 4096;

  private static final int INSTRUCTION_BYTES = 8;
  private static final int PROGRAM_BYTES = 16;
  private static final int POINTER_OFFSET = 8;
  private static final int RETURN_CONSTANT = 0x06;

  FilterProgram {
    instructions = List.copyOf(instructions);
    if (instructions.isEmpty() || instructions.size() > MAXIMUM_INSTRUCTIONS) {
      throw new IllegalArgumentException(instructions.size() + " instructions");
    }
  }

  /**
   * One instruction.
   *
   * @param code the operation
   * @param whenTrue how many instructions a true comparison skips, 0 to 255
   * @param whenFalse how many a false one skips
   * @param operand the constant or offset
   */
  record Instruction(int code, int whenTrue, int whenFalse, int operand) {}

  /** The program that keeps nothing. */
  static FilterProgram nothing() {
    return new FilterProgram(List.of(new Instruction(RETURN_CONSTANT, 0, 0, 0)));
  }

  /** The program as the kernel's {@code struct sock_fprog}, in memory of the arena. */
  MemorySegment toNative(Arena arena) {
    MemorySegment code =
        arena.allocate((long) INSTRUCTION_BYTES * instructions.size(), Integer.BYTES);
    for (int i = 0; i < instructions.size(); i++) {
      Instruction instruction = instructions.get(i);
      long at = (long) i * INSTRUCTION_BYTES;
      code.set(JAVA_SHORT, at, (short) instruction.code());
      code.set(JAVA_BYTE, at + 2, (byte) instruction.whenTrue());
      code.set(JAVA_BYTE, at + 3, (byte) instruction.whenFalse());
      code.set(JAVA_INT, at + 4, instruction.operand());
    }
    MemorySegment program = arena.allocate(PROGRAM_BYTES, Long.BYTES);
    program.set(JAVA_SHORT, 0, (short) instructions.size());
    program.set(ValueLayout.ADDRESS, POINTER_OFFSET, code);
    return program;
  }
}

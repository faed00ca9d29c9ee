package org.terrace.capture;

import java.nio.ByteBuffer;
import org.terrace.capture.FilterProgram.Instruction;

/** Runs a classic BPF program as the kernel would, for the operations that the compiler uses. */
final class FilterMachine {
  private static final int ANCILLARY = -0x1000;

  private FilterMachine() {}

  /**
   * The bytes the program keeps of a packet.
   *
   * @param protocol the Ethernet protocol the kernel noted
   * @param packetType the kind of packet, 4 for one on its way out
   */
  static int run(FilterProgram program, byte[] packet, int protocol, int packetType) {
    ByteBuffer bytes = ByteBuffer.wrap(packet);
    int accumulator = 0;
    int index = 0;
    for (int at = 0; ; at++) {
      Instruction step = program.instructions().get(at);
      int operand = step.operand();
      try {
        switch (step.code()) {
          case 0x20 ->
              accumulator =
                  operand == ANCILLARY
                      ? protocol
                      : operand == ANCILLARY + 4 ? packetType : bytes.getInt(operand);
          case 0x28 -> accumulator = Short.toUnsignedInt(bytes.getShort(operand));
          case 0x30 -> accumulator = Byte.toUnsignedInt(bytes.get(operand));
          case 0x48 -> accumulator = Short.toUnsignedInt(bytes.getShort(index + operand));
          case 0xb1 -> index = (bytes.get(operand) & 0xf) * 4;
          case 0x54 -> accumulator &= operand;
          case 0x05 -> at += operand;
          case 0x15 -> at += accumulator == operand ? step.whenTrue() : step.whenFalse();
          case 0x45 -> at += (accumulator & operand) != 0 ? step.whenTrue() : step.whenFalse();
          case 0x06 -> {
            return operand;
          }
          default -> throw new IllegalStateException("operation " + step.code());
        }
      } catch (IndexOutOfBoundsException e) {
        // The kernel refuses a packet that is too short for a load.
        return 0;
      }
    }
  }
}

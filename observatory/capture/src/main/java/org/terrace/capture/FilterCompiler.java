package org.terrace.capture;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.terrace.capture.FilterProgram.Instruction;

/**
 * Translates a {@link CaptureFilter} to a classic BPF program.
 *
 * <p>The protocol comes from the kernel's own note of it, not from the link header, so that the
 * program is the same for Ethernet, raw IP and a VLAN tag that the hardware took off. Conditional
 * jumps reach 255 instructions only; a comparison therefore jumps over an unconditional jump, whose
 * reach is 32 bits. Ports of a fragment other than the first are not there, so such a packet passes
 * a filter of ports only by its network: it is kept, because reassembly needs it.
 *
 * <p>Confined to one thread.
 */
final class FilterCompiler {
  private static final int LOAD_WORD = 0x20;
  private static final int LOAD_HALF = 0x28;
  private static final int LOAD_BYTE = 0x30;
  private static final int LOAD_HALF_INDEXED = 0x48;
  private static final int LOAD_HEADER_LENGTH = 0xb1;
  private static final int AND = 0x54;
  private static final int JUMP = 0x05;
  private static final int JUMP_IF_EQUAL = 0x15;
  private static final int JUMP_IF_SET = 0x45;
  private static final int RETURN = 0x06;

  private static final int ANCILLARY = -0x1000;
  private static final int ANCILLARY_PROTOCOL = ANCILLARY;
  private static final int ANCILLARY_PACKET_TYPE = ANCILLARY + 4;
  private static final int PACKET_OUTGOING = 4;

  private static final int PROTOCOL_IPV4 = 0x0800;
  private static final int PROTOCOL_IPV6 = 0x86dd;
  private static final int TCP = 6;
  private static final int UDP = 17;
  private static final int IPV4_FRAGMENT_OFFSET = 0x1fff;
  private static final int IPV6_HEADER_BYTES = 40;

  private final List<Instruction> code = new ArrayList<>();
  private final List<Integer> jumpsToAccept = new ArrayList<>();
  private final List<Integer> jumpsToReject = new ArrayList<>();
  private final int linkBytes;

  private FilterCompiler(int linkBytes) {
    this.linkBytes = linkBytes;
  }

  /**
   * The program for a filter.
   *
   * @param linkBytes the length of the link header, 14 for Ethernet and 0 for raw IP
   * @param dropOutgoing whether packets on their way out are refused
   * @param snapLength the bytes to keep of a packet
   */
  static FilterProgram compile(
      CaptureFilter filter, int linkBytes, boolean dropOutgoing, int snapLength) {
    FilterCompiler compiler = new FilterCompiler(linkBytes);
    if (dropOutgoing) {
      compiler.add(LOAD_WORD, ANCILLARY_PACKET_TYPE);
      compiler.jumpIfEqual(PACKET_OUTGOING, compiler.jumpsToReject);
    }
    boolean restricts = !filter.networks().isEmpty() || !filter.ports().isEmpty();
    if (restricts || !filter.leftOut().isEmpty()) {
      compiler.family(filter, PROTOCOL_IPV4);
      compiler.family(filter, PROTOCOL_IPV6);
      compiler.jumpTo(restricts ? compiler.jumpsToReject : compiler.jumpsToAccept);
    }
    return compiler.finish(snapLength);
  }

  /** The part for one version of IP: falls through when the packet is of another. */
  private void family(CaptureFilter filter, int protocol) {
    boolean version4 = protocol == PROTOCOL_IPV4;
    add(LOAD_WORD, ANCILLARY_PROTOCOL);
    code.add(new Instruction(JUMP_IF_EQUAL, 1, 0, protocol));
    int past = add(JUMP, 0);

    ends(filter.leftOut(), version4, jumpsToReject);
    if (!filter.networks().isEmpty()) {
      List<Integer> found = new ArrayList<>();
      ends(filter.networks(), version4, found);
      jumpTo(jumpsToReject);
      land(found);
    }
    ports(filter.ports(), version4);
    jumpTo(jumpsToAccept);
    land(List.of(past));
  }

  /** Jumps to {@code found} when an end of the packet is in one of the networks. */
  private void ends(List<AddressPrefix> networks, boolean version4, List<Integer> found) {
    for (AddressPrefix network : networks) {
      if (network.isVersion4() == version4) {
        int sourceOffset = linkBytes + (version4 ? 12 : 8);
        int addressBytes = version4 ? 4 : 16;
        address(network, sourceOffset, found);
        address(network, sourceOffset + addressBytes, found);
      }
    }
  }

  /** Jumps to {@code found} when the address at the offset is in the network. */
  private void address(AddressPrefix network, int offset, List<Integer> found) {
    ByteBuffer bytes = ByteBuffer.wrap(network.address().getAddress());
    int words = Math.ceilDiv(network.length(), Integer.SIZE);
    List<Integer> mismatches = new ArrayList<>();
    for (int word = 0; word < words; word++) {
      add(LOAD_WORD, offset + word * Integer.BYTES);
      int mask = network.maskWord(word);
      if (mask != -1) {
        add(AND, mask);
      }
      mismatches.add(add(JUMP_IF_EQUAL, bytes.getInt(word * Integer.BYTES)));
    }
    found.add(add(JUMP, 0));
    for (int at : mismatches) {
      Instruction comparison = code.get(at);
      code.set(
          at, new Instruction(comparison.code(), 0, code.size() - at - 1, comparison.operand()));
    }
  }

  /** Jumps to reject unless a port of the packet is listed. */
  private void ports(List<Integer> ports, boolean version4) {
    if (ports.isEmpty()) {
      return;
    }
    List<Integer> transport = new ArrayList<>();
    add(LOAD_BYTE, linkBytes + (version4 ? 9 : 6));
    jumpIfEqual(TCP, transport);
    jumpIfEqual(UDP, transport);
    jumpTo(jumpsToReject);
    land(transport);
    if (version4) {
      add(LOAD_HALF, linkBytes + 6);
      code.add(new Instruction(JUMP_IF_SET, 0, 1, IPV4_FRAGMENT_OFFSET));
      jumpTo(jumpsToAccept);
      add(LOAD_HEADER_LENGTH, linkBytes);
    }
    for (int port = 0; port <= Short.BYTES; port += Short.BYTES) {
      if (version4) {
        add(LOAD_HALF_INDEXED, linkBytes + port);
      } else {
        add(LOAD_HALF, linkBytes + IPV6_HEADER_BYTES + port);
      }
      for (int wanted : ports) {
        jumpIfEqual(wanted, jumpsToAccept);
      }
    }
    jumpTo(jumpsToReject);
  }

  private FilterProgram finish(int snapLength) {
    land(jumpsToAccept);
    add(RETURN, snapLength);
    land(jumpsToReject);
    add(RETURN, 0);
    return new FilterProgram(code);
  }

  private void jumpIfEqual(int value, List<Integer> target) {
    code.add(new Instruction(JUMP_IF_EQUAL, 0, 1, value));
    jumpTo(target);
  }

  private void jumpTo(List<Integer> target) {
    target.add(add(JUMP, 0));
  }

  /** Lets the given jumps end at the next instruction. */
  private void land(List<Integer> jumps) {
    for (int at : jumps) {
      code.set(at, new Instruction(JUMP, 0, 0, code.size() - at - 1));
    }
  }

  private int add(int operation, int operand) {
    code.add(new Instruction(operation, 0, 0, operand));
    return code.size() - 1;
  }
}

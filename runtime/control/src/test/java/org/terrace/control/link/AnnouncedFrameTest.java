package org.terrace.control.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.io.EOFException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.control.ControlSecret;

/** Frames of which only the beginning arrives. */
@Tag("real-processes")
class AnnouncedFrameTest {
  private static final long BYTES_MAX = Link.FRAME_BYTES_MAX / 4;

  @Test
  void aLengthThatIsOnlyAnnouncedCostsNoMemory() throws Exception {
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (ServerSocket door = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket forger = new Socket(door.getInetAddress(), door.getLocalPort());
        Link link = Link.accept(door.accept(), ControlSecret.none())) {
      forger.getOutputStream().write(ForgedFrames.head(Link.FRAME_BYTES_MAX));
      forger.getOutputStream().write(1);
      forger.shutdownOutput();

      long before = threads.getCurrentThreadAllocatedBytes();
      assertThatThrownBy(link::receive).isInstanceOf(EOFException.class);
      assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(BYTES_MAX);
    }
  }
}

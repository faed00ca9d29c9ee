package org.terrace.middleware.corba;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.terrace.middleware.CallChannel;
import org.terrace.middleware.CallHandler;
import org.terrace.middleware.Endpoint;
import org.terrace.middleware.Listener;

/** The interface of the code beside an ORB to the code that does not know CORBA. Thread-safe. */
public interface OrbBinding {
  /** Listens with an ORB of its own. */
  Listener listen(InetSocketAddress address, CallHandler handler) throws IOException;

  /** Opens a channel through the one ORB of clients. */
  CallChannel connect(Endpoint endpoint, Duration timeout) throws IOException;

  /** One reference with the endpoints of all, in this order. */
  String merge(List<String> references) throws IOException;
}

package org.terrace.middleware.corba.orb;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.omg.CORBA.ORB;
import org.omg.CORBA.SystemException;
import org.omg.CORBA.UserException;
import org.omg.PortableServer.POA;
import org.omg.PortableServer.POAHelper;
import org.terrace.middleware.CallHandler;
import org.terrace.middleware.Endpoint;
import org.terrace.middleware.Listener;
import org.terrace.middleware.corba.OrbKind;

/** A server's ORB with its one object. */
final class OrbListener implements Listener {
  private final ORB orb;
  private final OrbKind kind;
  private final String reference;
  private final References.Place place;
  private final AtomicBoolean open = new AtomicBoolean(true);

  private OrbListener(ORB orb, OrbKind kind, String reference, References.Place place) {
    this.orb = orb;
    this.kind = kind;
    this.reference = reference;
    this.place = place;
  }

  static OrbListener open(ORB orb, OrbKind kind, CallHandler handler) throws IOException {
    try (OrbClasses _ = new OrbClasses()) {
      POA root = POAHelper.narrow(orb.resolve_initial_references("RootPOA"));
      root.the_POAManager().activate();
      String reference =
          orb.object_to_string(root.servant_to_reference(new CarrierServant(handler)));
      return new OrbListener(orb, kind, reference, new References(orb).place(reference));
    } catch (UserException e) {
      orb.destroy();
      throw new IOException("the ORB takes no object: " + e, e);
    } catch (IOException | SystemException e) {
      orb.destroy();
      throw e;
    }
  }

  @Override
  public Endpoint endpoint(String replica) {
    return new Endpoint(replica, kind.middleware(), place.host(), place.port(), reference);
  }

  @Override
  public void close() {
    if (open.getAndSet(false)) {
      if (kind == OrbKind.GLASSFISH) {
        GlassfishAcceptors.close(orb);
      }
      // Without waiting: calls under way are given no reply.
      orb.shutdown(false);
      orb.destroy();
    }
  }
}

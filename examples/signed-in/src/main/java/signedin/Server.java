package signedin;

import java.io.IOException;
import java.io.OutputStream;
import org.springframework.boot.SpringApplication;

/** One server: the application, which ends when its standard input does. */
final class Server {
  private Server() {}

  /** Starts it; the arguments are properties, such as {@code --server.address=127.0.0.1}. */
  public static void main(String[] arguments) throws IOException {
    var application = SpringApplication.run(SignedIn.class, arguments);
    System.out.println("ready");
    System.in.transferTo(OutputStream.nullOutputStream());
    application.close();
    System.exit(0);
  }
}

import "./styles/tokens.css";
import "./ui/app";

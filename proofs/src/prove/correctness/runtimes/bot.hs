import Control.Concurrent (forkIO, threadDelay)
import Control.Monad (forM_)
import Data.List (isPrefixOf, tails)
import System.IO (BufferMode (LineBuffering), hSetBuffering, stdout)
import System.Mem (performGC)

after :: String -> String -> Maybe String
after key line = case [drop (length key) rest | rest <- tails line, key `isPrefixOf` rest] of
  rest : _ -> Just rest
  [] -> Nothing

main :: IO ()
main = do
  hSetBuffering stdout LineBuffering
  putStrLn "{\"type\":\"ready\",\"inflight\":8}"
  _ <- forkIO (threadDelay 1000)
  asked <- lines <$> getContents
  forM_ asked $ \line -> case (after "\"id\":" line, after "\"legal\":{\"" line) of
    (Just number, Just legal) -> do
      performGC
      let category = takeWhile (/= '"') legal
      putStrLn ("{\"id\":" ++ takeWhile (/= ',') number ++ ",\"category\":\"" ++ category ++ "\"}")
    _ -> pure ()
